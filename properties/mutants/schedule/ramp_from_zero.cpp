#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RampFromZero : subject::Textbook {
  std::int64_t warm_up_micro_batches(const subject::Recipe& r, std::int64_t index) override {
    const double share =
        static_cast<double>(std::min(index, r.warm_up)) / static_cast<double>(r.warm_up);
    const double all = static_cast<double>(r.nominal_batch) / static_cast<double>(r.batch);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::nearbyint(all * share)));
  }
};

AMPCHECK_MUTANT(RampFromZero, "ramp-from-zero", "schedule",
                "the ramp of micro-batches begins at 0 and not at 1");

}  // namespace
}  // namespace ampcheck::properties
