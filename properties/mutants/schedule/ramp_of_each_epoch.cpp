#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RampOfEachEpoch : subject::Textbook {
  std::int64_t warm_up_micro_batches(const subject::Recipe& r, std::int64_t index) override {
    return Textbook::warm_up_micro_batches(r, index % r.micro_batches);
  }
};

AMPCHECK_MUTANT(RampOfEachEpoch, "ramp-of-each-epoch", "schedule",
                "every epoch begins with a warm-up of its own");

}  // namespace
}  // namespace ampcheck::properties
