#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RateWithoutWarmUp : subject::Textbook {
  double scaled_rate(const subject::Recipe& r) override {
    subject::Recipe warm = r;
    warm.step = r.warm_up;
    return Textbook::scaled_rate(warm);
  }
};

AMPCHECK_MUTANT(RateWithoutWarmUp, "rate-without-warm-up", "schedule",
                "the learning rate is the scaled one from the first step on");

}  // namespace
}  // namespace ampcheck::properties
