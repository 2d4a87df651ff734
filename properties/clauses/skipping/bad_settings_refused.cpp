#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One setting that makes no sense, beside others that do.
Case generate(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-16, 24)), binary32);
  const auto positive = [&](int low, int high, const NumberFormat& f) {
    return draw_normal(draw, f, low, high) & ~f.sign_bit();
  };
  switch (draw.between(1, 5)) {
    case 1:
      plan.init_scale.bits = draw.pick({std::uint64_t{0}, binary32.sign_bit(),
                                        positive(-8, 16, binary32) | binary32.sign_bit(),
                                        draw_non_finite(draw, binary32)});
      break;
    case 2:
      plan.growth_factor.bits =
          draw.pick({positive(-8, -1, binary64), std::uint64_t{0},
                     positive(-1, 1, binary64) | binary64.sign_bit(), binary64.nan()});
      break;
    case 3:
    case 4:  // 1 is the one that people ask for
      plan.backoff_factor.bits = draw.pick(
          {power_of_two(0, binary64), power_of_two(0, binary64), positive(0, 4, binary64),
           std::uint64_t{0}, positive(-2, -1, binary64) | binary64.sign_bit(), binary64.nan()});
      break;
    default:
      plan.growth_interval = draw.pick({0, -1, -1000});
  }
  return CaseBuilder().scaler(plan).done();
}

AMPCHECK_CLAUSE("skipping/bad-settings-refused", kRefusal, generate);

}  // namespace
}  // namespace ampcheck::properties
