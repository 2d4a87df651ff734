#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Coefficients of three to six micro-batches: one that takes up all bits of the format, at any
// place among small ones; a sum in the format itself loses what is below its last bit, every time
// or, where it is half of that, every second time.
std::vector<std::uint64_t> draw_terms(Draw& draw, const NumberFormat& f, std::int64_t number,
                                      int ulp) {
  const std::int64_t one = std::int64_t{1} << f.fraction_bits;
  const std::int64_t large = draw.coin() ? one : draw.between(one, 2 * one - 9);
  const bool is_negative = draw.coin();
  const std::int64_t at = draw.chance(3) ? draw.between(0, number - 1) : 0;
  std::vector<std::uint64_t> terms;
  for (std::int64_t m = 0; m < number; ++m) {
    // Small ones in halves of the large one's last bit.
    const std::int64_t term = m == at ? large : draw.pick<std::int64_t>({1, 1, 1, 3});
    terms.push_back(dyadic(is_negative ? -term : term, m == at ? ulp : ulp - 1, f));
  }
  return terms;
}

// One or two short tensors, looked at after every micro-batch and after unscale. A quarter of the
// cases has terms of any significand, a quarter divides its losses.
Case generate(Draw& draw) {
  std::vector<TensorPlan> plans;
  for (std::int64_t t = draw.between(1, 2); t > 0; --t) {
    const NumberFormat& f = *draw.pick({&binary16, &bfloat16});
    plans.push_back({"p" + std::to_string(plans.size()),
                     {&f, &f},
                     static_cast<std::size_t>(draw.between(1, 4))});
  }
  const std::int64_t number = draw.between(3, 6);
  const bool is_irregular = draw.chance(4);
  const int ulp = static_cast<int>(draw.between(-8, -4));
  std::vector<std::vector<subject::Coefficients>> micro_batches(static_cast<std::size_t>(number));
  for (const TensorPlan& plan : plans) {
    const NumberFormat& f = *plan.formats.delivered;
    std::vector<std::vector<std::uint64_t>> terms;
    for (std::size_t i = 0; i < plan.length; ++i) terms.push_back(draw_terms(draw, f, number, ulp));
    for (std::size_t m = 0; m < micro_batches.size(); ++m) {
      std::vector<std::uint64_t> bits;
      for (const std::vector<std::uint64_t>& element : terms)
        bits.push_back(is_irregular ? draw_normal(draw, f, -4, 2) : element[m]);
      micro_batches[m].push_back({plan.name, vector(std::move(bits), f)});
    }
  }
  const std::int64_t divide = draw.chance(4) ? draw.pick<std::int64_t>({2, 4}) : 1;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 6)), binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(plans));
  for (std::size_t m = 0; m < micro_batches.size(); ++m)
    builder.backward(micro_batches[m], m + 1 == micro_batches.size())
        .divide(divide)
        .observe(names("gradient", names_of(plans)));
  builder.unscale("o").observe(names("gradient", names_of(plans)));
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/narrow-accumulator-declared", kGradient, generate);

}  // namespace
}  // namespace ampcheck::properties
