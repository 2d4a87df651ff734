#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct DecayInBfloat16 : subject::Textbook {
  double scaled_decay(double decay, std::int64_t nominal, std::int64_t batch) override {
    return subject::narrow(Textbook::scaled_decay(decay, nominal, batch), reference::bfloat16);
  }
};

AMPCHECK_MUTANT(DecayInBfloat16, "decay-in-bfloat16", "schedule",
                "the scaled weight decay is kept in bfloat16");

}  // namespace
}  // namespace ampcheck::properties
