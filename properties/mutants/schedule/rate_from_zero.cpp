#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RateFromZero : subject::Textbook {
  double scaled_rate(const subject::Recipe& r) override {
    subject::Recipe warm = r;
    warm.step = r.warm_up;
    const std::int64_t at = std::min(r.step, r.warm_up);
    return Textbook::scaled_rate(warm) * static_cast<double>(at) / static_cast<double>(r.warm_up);
  }
};

AMPCHECK_MUTANT(RateFromZero, "rate-from-zero", "schedule",
                "the warm-up begins at 0 and not at the base rate");

}  // namespace
}  // namespace ampcheck::properties
