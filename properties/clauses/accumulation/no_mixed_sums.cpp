#include "properties/clause.hpp"
#include "properties/generators/samples.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

// Micro-batches that reach some of the parameters only, so that one that was left out is added to
// later; two optimizers, of which one may be unscaled before the other; scales that grow from
// window to window. Looked at after every micro-batch.
Case generate(Draw& draw) {
  std::vector<TensorPlan> plans;
  const std::int64_t count = draw.between(2, 4);
  for (std::int64_t i = 0; i < count; ++i)
    plans.push_back({"p" + std::to_string(i), draw_formats(draw), draw_length(draw) % 8 + 1});
  const std::int64_t windows = draw.between(1, 3);
  const ExactWindow window = draw_exact_window(draw, plans, 4 * windows, 5);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 2));
  const std::vector<std::string> optimizers =
      draw.coin() ? std::vector<std::string>{"o"} : std::vector<std::string>{"o", "other"};
  std::vector<std::vector<subject::Parameter>> owned(optimizers.size());
  for (std::size_t i = 0; i < plans.size(); ++i)
    owned[i % owned.size()].push_back(
        zeros(plans[i].name, plans[i].length, *plans[i].formats.parameter));
  CaseBuilder builder;
  builder.scaler(plan);
  for (std::size_t o = 0; o < optimizers.size(); ++o) builder.sgd(optimizers[o], owned[o]);
  const std::vector<std::string> gradients = names("gradient", names_of(plans));
  for (std::int64_t w = 0; w < windows; ++w) {
    const std::int64_t micro_batches = draw.between(2, 4);
    // One of them reaches all: no optimizer is left without a gradient.
    const std::int64_t whole = draw.between(1, micro_batches);
    for (std::int64_t m = 1; m <= micro_batches; ++m)
      builder
          .backward(coefficients_of(plans, draw_sample(draw, plans, window.bits, m != whole),
                                    window.base),
                    m == micro_batches)
          .observe(gradients);
    for (const std::string& name : optimizers)
      if (draw.coin()) builder.unscale(name).observe(gradients);
    for (const std::string& name : optimizers) builder.step(name);
    builder.observe(names("parameter", names_of(plans))).update();
    for (const std::string& name : optimizers) builder.zero_grad(name, draw.coin());
    if (draw.chance(4)) builder.save_load();
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/no-mixed-sums", kGradient | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
