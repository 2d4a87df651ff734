#include "properties/clause.hpp"
#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Makes one token of one rank inf or NaN, or so large that its product with S is.
void spoil(Draw& draw, subject::TokenWindow& window) {
  std::vector<std::uint64_t*> counted;
  for (auto& rank : window.ranks)
    for (subject::TokenMicroBatch& micro_batch : rank)
      for (std::size_t t = 0; t < micro_batch.labels.size(); ++t)
        if (micro_batch.labels[t] != window.ignore_index)
          for (const std::size_t j : {std::size_t{0}, std::size_t{1}})
            counted.push_back(&micro_batch.coefficients.bits[2 * t + j]);
  // A window has up to 2^6 tokens, and S at least 2^12 here.
  *draw.pick(counted) = draw.chance(3)
                            ? power_of_two(125, binary32) | (draw.bits() & binary32.sign_bit())
                            : draw_non_finite(draw, binary32);
}

// Windows on several ranks, of which some have an inf or NaN on one rank: every rank skips, takes
// its step, and moves its scale as the others do.
Case generate(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(16, 24)), binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 3));
  const std::int64_t ranks = draw.between(2, 4);
  const std::int64_t windows = draw.between(2, 4), surely_bad = draw.between(1, windows);
  CaseBuilder builder = token_session(plan);
  for (std::int64_t w = 1; w <= windows; ++w) {
    subject::TokenWindow window =
        draw_split(draw, draw_token_rows(draw, draw.between(ranks, 4 * ranks)), ranks, 3);
    if (w == surely_bad || draw.chance(3)) spoil(draw, window);
    builder.add(std::move(window));
    if (draw.coin()) builder.unscale("o");
    builder.step("o").observe({"parameter/w"});
    builder.update().observe({"scale"}).zero_grad("o");
  }
  return builder.ranks(ranks).done();
}

AMPCHECK_CLAUSE("skipping/ranks-agree", kStepped | kScale | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
