#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"
#include "properties/generators/shares.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Parameters and momentum, looked at after every micro-batch of two windows: the first window is
// not empty of state, and inside of the second nothing of it moves.
Case generate(Draw& draw) {
  const std::size_t length = draw_length(draw) % 8 + 1;
  const std::int64_t micro_batches = draw.between(2, 4);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 10)), binary32);
  subject::MakeOptimizer sgd;
  sgd.name = "o";
  sgd.hyper = {{"lr", scalar_power_of_two(-1, binary64)}};
  const bool momentum = draw.coin();
  if (momentum) sgd.hyper["momentum"] = draw_share(draw);
  sgd.parameters = {zeros("w", length, binary32)};
  CaseBuilder builder;
  builder.scaler(plan).optimizer(std::move(sgd));
  for (int w = 0; w < 2; ++w) {
    for (std::int64_t m = 1; m <= micro_batches; ++m) {
      builder.backward({{"w", vector(draw_integers(draw, length, 4, -2, binary32), binary32)}},
                       m == micro_batches);
      builder.observe({"parameter/w"});
      if (momentum && w > 0) builder.observe({"state/w/momentum_buffer"});
    }
    builder.step("o").observe({"parameter/w"});
    builder.update().zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("accumulation/weights-unchanged-inside", kParameter | kState, generate);

}  // namespace
}  // namespace ampcheck::properties
