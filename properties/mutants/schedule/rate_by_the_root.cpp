#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RateByTheRoot : subject::Textbook {
  double scaled_rate(const subject::Recipe& r) override {
    subject::Recipe warm = r;
    warm.step = r.warm_up;
    return Textbook::scaled_rate(warm) *
           std::sqrt(static_cast<double>(r.base_batch) / static_cast<double>(r.batch));
  }
};

AMPCHECK_MUTANT(RateByTheRoot, "rate-by-the-root", "schedule",
                "the learning rate grows with the root of the batch");

}  // namespace
}  // namespace ampcheck::properties
