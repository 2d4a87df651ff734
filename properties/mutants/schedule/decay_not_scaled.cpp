#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DecayNotScaled : subject::Textbook {
  double scaled_decay(double decay, std::int64_t, std::int64_t) override { return decay; }
};

AMPCHECK_MUTANT(DecayNotScaled, "decay-not-scaled", "schedule",
                "weight decay is the same for every batch");

}  // namespace
}  // namespace ampcheck::properties
