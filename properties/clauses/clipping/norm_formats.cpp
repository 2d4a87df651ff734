#include "properties/clause.hpp"
#include "properties/generators/norms.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Norms that a 16-bit accumulator loses: squares beyond 65504, sums with more bits than the format
// has.
Case generate(Draw& draw) {
  const TensorFormats formats = draw.pick<TensorFormats>({{&binary16, &binary16},
                                                          {&binary16, &binary32},
                                                          {&bfloat16, &bfloat16},
                                                          {&bfloat16, &binary32}});
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-4, 3)), binary32);
  // (300, 400) and its like: 3·k, 4·k with k from 80 to 127; or 30 and 256 ones, norm 34, whose
  // ones an accumulator in bfloat16 does not see.
  std::vector<std::uint64_t> c;
  const NumberFormat& f = *formats.delivered;
  std::int64_t norm;
  if (draw.coin()) {
    const std::int64_t k = f == bfloat16 ? draw.between(20, 40) : draw.between(80, 127);
    c = {dyadic(3 * k, 0, f), dyadic(-4 * k, 0, f)};
    norm = 5 * k;
  } else {
    c.assign(256, dyadic(1, 0, f));
    c.insert(c.begin(), dyadic(30, 0, f));
    norm = 34;
  }
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", c.size(), *formats.parameter)})
      .backward({{"w", vector(c, f)}})
      .unscale("o")
      .clip_norm({"o"},
                 scalar(dyadic(norm, static_cast<int>(draw.between(-3, 1)), binary32), binary32))
      .observe({"norm", "gradient/w"});
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/norm-formats", kGradient | kNorm, generate);

}  // namespace
}  // namespace ampcheck::properties
