#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GrowsByBackOff : subject::Textbook {
  void grow() override {
    scaler_.growth_factor = 1 / scaler_.backoff_factor;
    Textbook::grow();
  }
};

AMPCHECK_MUTANT(GrowsByBackOff, "grows-by-back-off", "skipping",
                "grows by dividing by the back-off factor");

}  // namespace
}  // namespace ampcheck::properties
