#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DecayScaledInversely : subject::Textbook {
  double scaled_decay(double decay, std::int64_t nominal, std::int64_t batch) override {
    return decay * decay / Textbook::scaled_decay(decay, nominal, batch);
  }
};

AMPCHECK_MUTANT(DecayScaledInversely, "decay-scaled-inversely", "schedule",
                "weight decay grows where a step sees fewer examples");

}  // namespace
}  // namespace ampcheck::properties
