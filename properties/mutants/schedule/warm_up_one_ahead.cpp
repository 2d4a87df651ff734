#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WarmUpOneAhead : subject::Textbook {
  double scaled_rate(const subject::Recipe& r) override {
    subject::Recipe next = r;
    ++next.step;
    return Textbook::scaled_rate(next);
  }
};

AMPCHECK_MUTANT(WarmUpOneAhead, "warm-up-one-ahead", "schedule", "the warm-up counts steps from 1");

}  // namespace
}  // namespace ampcheck::properties
