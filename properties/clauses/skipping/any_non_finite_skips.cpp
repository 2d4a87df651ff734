#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One inf or NaN, seen through clips, of any sign and payload, at any place of up to six tensors of
// mixed formats, which may come in two micro-batches.
Case generate(Draw& draw) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 6);
  const ExactWindow window = draw_exact_window(draw, plans, 1, 2);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(window.scale, binary32);
  std::vector<subject::Coefficients> micro_batch = draw_micro_batch(draw, plans, window);
  Tensor& values = micro_batch[static_cast<std::size_t>(
                                   draw.between(0, static_cast<std::int64_t>(plans.size()) - 1))]
                       .values;
  const std::uint64_t bad = draw_non_finite(draw, *values.format);
  const auto place = [&] {
    return static_cast<std::size_t>(
        draw.between(0, static_cast<std::int64_t>(values.bits.size()) - 1));
  };
  values.bits[place()] = bad;
  // Two infinities of opposite sign must not cancel.
  if (values.format->is_infinite(bad) && draw.chance(4))
    values.bits[place()] = bad ^ values.format->sign_bit();
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans), -1, draw_form(draw));
  if (micro_batch.size() > 1 && draw.chance(3)) {
    const auto half = micro_batch.begin() + draw.between(1, std::ssize(micro_batch) - 1);
    builder.backward({micro_batch.begin(), half}, false);
    micro_batch.erase(micro_batch.begin(), half);
  }
  builder.backward(std::move(micro_batch));
  // A clip hides nothing: what makes an inf the limit must have looked before.
  const bool clips = draw.chance(3);
  if (clips || draw.coin()) builder.unscale("o");
  const Scalar limit = scalar_power_of_two(0, binary32);
  if (clips) draw.coin() ? builder.clip_value({"o"}, limit) : builder.clip_norm({"o"}, limit);
  builder.step("o").observe(names("parameter", names_of(plans)));
  builder.update();
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/any-non-finite-skips", kStepped | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
