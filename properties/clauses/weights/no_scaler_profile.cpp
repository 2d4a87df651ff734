#include "properties/clause.hpp"
#include "properties/generators/norms.hpp"
#include "properties/generators/pieces.hpp"
#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

constexpr TensorFormats kBfloat16 = {&bfloat16, &bfloat16};
TensorFormats only_bfloat16(Draw&) { return kBfloat16; }

ScalerPlan draw_disabled(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(1, 16)), binary32);
  plan.enabled = false;
  return plan;
}

void add_end(CaseBuilder& builder, const std::vector<std::string>& tensors) {
  builder.observe(names("gradient", tensors));
  builder.step("o").observe(names("parameter", tensors));
  builder.update().zero_grad("o");
}

// Micro-batches, whose losses are often divided.
void add_micro_batches(Draw& draw, CaseBuilder& builder, const std::vector<TensorPlan>& plans,
                       const ExactWindow& window, std::int64_t number) {
  const std::int64_t divide = draw.pick<std::int64_t>({1, 2, 4});
  for (std::int64_t m = 1; m <= number; ++m)
    builder.backward(draw_micro_batch(draw, plans, window), m == number)
        .divide(divide)
        .observe(names("gradient", names_of(plans)));
}

Case windows(Draw& draw, bool clips) {
  const std::vector<TensorPlan> plans = draw_tensors(draw, 2, only_bfloat16);
  const bool fits = draw.chance(3);
  const std::int64_t number = clips ? draw.between(1, 2) : draw.between(fits ? 2 : 3, 5);
  // Sums that bfloat16 holds, or that need more bits.
  const ExactWindow window = draw_exact_window(draw, plans, fits ? number : 1, 5);
  CaseBuilder builder;
  builder.scaler(draw_disabled(draw)).sgd("o", parameters_of(plans), 0);
  add_micro_batches(draw, builder, plans, window, number);
  if (clips || draw.coin()) builder.unscale("o");
  if (clips) {
    const std::int64_t limit = draw.between(1, (std::int64_t{1} << window.bits) - 1);
    builder.clip_value({"o"}, scalar(dyadic(limit, window.base, binary32), binary32));
  }
  add_end(builder, names_of(plans));
  return builder.done();
}

Case norms(Draw& draw) {
  const SquareSum sum = draw_square_sum(draw);
  const int base = static_cast<int>(draw.between(5, 8));
  const Pieces pieces = draw_pieces(draw, sum.integers, base, kBfloat16, Signs::drawn);
  const int ratio = static_cast<int>(draw.between(-3, 1));
  CaseBuilder builder;
  builder.scaler(draw_disabled(draw)).sgd("o", parameters_of(pieces.plans));
  if (draw.coin()) builder.backward(pieces.coefficients, false);
  builder.backward(pieces.coefficients).unscale("o");
  builder.clip_norm({"o"}, scalar(dyadic(sum.norm, base + ratio, binary32), binary32))
      .observe({"norm"});
  add_end(builder, names_of(pieces.plans));
  return builder.done();
}

Case tokens(Draw& draw) {
  const std::int64_t ranks = draw.pick<std::int64_t>({1, 1, 2});
  TokenPlan plan;
  plan.ignored = draw.coin();
  CaseBuilder builder;
  builder.scaler(draw_disabled(draw))
      .sgd("o", {zeros("w", 2, bfloat16)})
      .add(draw_token_window(draw, plan, ranks));
  add_end(builder, {"w"});
  return builder.ranks(ranks).done();
}

// A disabled scaler and parameters of bfloat16, as most trainings in it have: windows, clips by
// norm and by value, and token windows go by the same rules.
Case generate(Draw& draw) {
  switch (draw.between(0, 3)) {
    case 0:
      return windows(draw, false);
    case 1:
      return windows(draw, true);
    case 2:
      return norms(draw);
    default:
      return tokens(draw);
  }
}

AMPCHECK_CLAUSE("weights/no-scaler-profile", kGradient | kNorm | kParameter | kStepped, generate);

}  // namespace
}  // namespace ampcheck::properties
