#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DecayOfOneMicroBatch : subject::Textbook {
  double scaled_decay(double decay, std::int64_t nominal, std::int64_t batch) override {
    return decay * static_cast<double>(batch) / static_cast<double>(nominal);
  }
};

AMPCHECK_MUTANT(DecayOfOneMicroBatch, "decay-of-one-micro-batch", "schedule",
                "weight decay is scaled by a micro-batch and not by a window");

}  // namespace
}  // namespace ampcheck::properties
