#include "properties/clause.hpp"
#include "properties/generators/masters.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

constexpr int kBelow = 3;

// Tensors of two kinds of equal elements, of either sign, whose masters come to lie one to seven
// eighths of the way between two numbers of the copies, an ulp or more from where they were. The
// counts are long enough that truncation, nearest rounding, even odds, and one draw for many
// elements are all but impossible where they are wrong.
Case generate(Draw& draw) {
  const NumberFormat& f = draw_short_format(draw);
  const int lr = -static_cast<int>(draw.between(2, 5));
  const std::int64_t copies = draw.pick<std::int64_t>({20, 64, 120, 250, 500});
  MasterElement kinds[] = {draw_master_element(draw, f, kBelow, lr),
                           draw_master_element(draw, f, kBelow, lr)};
  kinds[1].initial ^= f.is_negative(kinds[0].initial) == f.is_negative(kinds[1].initial)
                          ? f.sign_bit()
                          : std::uint64_t{0};
  const bool alternate = draw.coin();
  std::vector<std::size_t> kind_of;
  std::vector<std::uint64_t> initial;
  for (std::int64_t i = 0; i < copies; ++i) {
    kind_of.push_back(static_cast<std::size_t>(alternate ? i % 2 : 2 * i / copies));
    initial.push_back(kinds[kind_of.back()].initial);
  }
  CaseBuilder builder;
  builder.scaler({}).optimizer(master_sgd({{"w", vector(std::move(initial), f), ""}}, lr));
  for (std::int64_t w = draw.between(1, 2); w > 0; --w) {
    std::vector<std::uint64_t> of_kind, gradient;
    for (const MasterElement& kind : kinds)
      of_kind.push_back(gradient_of(
          kind, 8 * draw.between(1, 2) + draw.pick<std::int64_t>({1, 2, 3, 4, 5, 6, 7}), f));
    for (const std::size_t kind : kind_of) gradient.push_back(of_kind[kind]);
    builder.backward({{"w", vector(std::move(gradient), f)}});
    builder.step("o").observe(masters_and_copies({"w"}));
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("weights/stochastic-unbiased", kOdds, generate);

}  // namespace
}  // namespace ampcheck::properties
