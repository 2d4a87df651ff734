#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Which windows are bad: each by itself, or runs of one to four overflows with clean runs between
// them that end around N, N + 1 and 2·N, where the schedules of released scalers part.
std::vector<bool> draw_pattern(Draw& draw, std::int64_t interval) {
  std::vector<bool> pattern;
  if (draw.coin()) {
    for (std::int64_t i = draw.between(2, 11); i > 0; --i) pattern.push_back(draw.chance(5));
    return pattern;
  }
  const std::size_t least = static_cast<std::size_t>(draw.between(4, 16));
  for (bool bad = draw.coin(); pattern.size() < least; bad = !bad) {
    const std::int64_t clean = draw.pick(
        {draw.between(1, interval), interval, interval + 1, 2 * interval, 2 * interval + 1});
    pattern.insert(pattern.end(), static_cast<std::size_t>(bad ? draw.between(1, 4) : clean), bad);
  }
  return pattern;
}

// A third of the cases have factors that are no powers of two.
Case generate(Draw& draw) {
  ScalerPlan plan;
  const bool exact = !draw.chance(3);
  plan.init_scale =
      exact ? scalar_power_of_two(static_cast<int>(draw.chance(4)   ? draw.between(-16, 2)
                                                   : draw.chance(8) ? draw.between(31, 100)
                                                                    : draw.between(-4, 30)),
                                  binary32)
            : scalar(draw_normal(draw, binary32, 0, 16) & ~binary32.sign_bit(), binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 5));
  if (!exact) {
    plan.growth_factor = scalar(draw_normal(draw, binary64, 0, 0) & ~binary64.sign_bit(), binary64);
    plan.backoff_factor =
        scalar(draw_normal(draw, binary64, -2, -1) & ~binary64.sign_bit(), binary64);
  } else if (draw.chance(3)) {
    plan.growth_factor = scalar_power_of_two(static_cast<int>(draw.between(1, 3)), binary64);
    plan.backoff_factor = scalar_power_of_two(-static_cast<int>(draw.between(1, 3)), binary64);
  }
  const bool two = draw.chance(3);  // two optimizers report, and the scale still moves once
  CaseBuilder builder;
  builder.scaler(plan).sgd("a", {zeros("v", 1, binary32)});
  if (two) builder.sgd("b", {zeros("w", 1, binary32)});
  for (const bool overflow : draw_pattern(draw, plan.growth_interval)) {
    // Either of the two may be bad alone, also the one that steps first.
    const bool bad = overflow && (!two || draw.coin());
    const bool other_bad = overflow && (!bad || draw.coin());
    const auto gradient = [&](bool is_bad) {
      return vector(
          {is_bad ? draw_non_finite(draw, binary32) : dyadic(draw.between(1, 9), -3, binary32)},
          binary32);
    };
    std::vector<subject::Coefficients> c = {{"v", gradient(bad)}};
    if (two) c.push_back({"w", gradient(other_bad)});
    builder.backward(std::move(c)).step("a");
    if (two) builder.step("b");
    builder.update().observe({"scale"}).zero_grad("a");
    if (two) builder.zero_grad("b");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/update-rule", kScale, generate);

}  // namespace
}  // namespace ampcheck::properties
