#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct BacksOffByGrowth : subject::Textbook {
  void back_off() override {
    scaler_.backoff_factor = 1 / scaler_.growth_factor;
    Textbook::back_off();
  }
};

AMPCHECK_MUTANT(BacksOffByGrowth, "backs-off-by-growth", "skipping",
                "backs off by dividing by the growth factor");

}  // namespace
}  // namespace ampcheck::properties
