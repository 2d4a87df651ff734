#include "properties/clause.hpp"
#include "properties/generators/norms.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Each element comes in one of the micro-batches, so that none of them has the norm of the window,
// nor its direction; losses are often divided. The limit lies on either side of the window's norm.
Case generate(Draw& draw) {
  const NormWindow window = draw_norm_window(draw);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  const int divide = static_cast<int>(draw.between(0, 2));  // by 2^divide
  const std::int64_t micro_batches = draw.between(2, 4);
  std::vector<std::vector<subject::Coefficients>> parts(static_cast<std::size_t>(micro_batches),
                                                        window.coefficients);
  for (std::size_t tensor = 0; tensor < window.coefficients.size(); ++tensor) {
    const Tensor& whole = window.coefficients[tensor].values;
    for (std::size_t i = 0; i < whole.bits.size(); ++i) {
      const std::int64_t in = draw.between(0, micro_batches - 1);
      for (std::int64_t m = 0; m < micro_batches; ++m) {
        std::uint64_t& bits = parts[static_cast<std::size_t>(m)][tensor].values.bits[i];
        const auto raised = static_cast<std::uint64_t>(divide) << whole.format->fraction_bits;
        bits = m == in && whole.bits[i] != 0 ? whole.bits[i] + raised : 0;
      }
    }
  }
  const int ratio = static_cast<int>(draw.between(-3, 1));
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(window.plans));
  for (std::int64_t m = 0; m < micro_batches; ++m)
    builder.backward(parts[static_cast<std::size_t>(m)], m + 1 == micro_batches)
        .divide(std::int64_t{1} << divide);
  builder.unscale("o")
      .clip_norm({"o"}, scalar(dyadic(window.norm, window.base + ratio, binary32), binary32))
      .observe({"norm"})
      .observe(names("gradient", names_of(window.plans)))
      .step("o")
      .observe(names("parameter", names_of(window.plans)));
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/once-per-window", kGradient | kNorm | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
