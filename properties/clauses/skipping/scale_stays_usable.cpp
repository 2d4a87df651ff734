#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// Runs of overflows from a small scale, and of growth from a large one, past both ends of binary32.
// The loss is in binary32.
Case generate(Draw& draw) {
  const bool down = draw.coin();
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(
      static_cast<int>(down ? draw.between(-126, -121) : draw.between(121, 127)), binary32);
  plan.growth_interval = 1;
  const int jump = static_cast<int>(draw.between(1, 4));
  plan.growth_factor = scalar_power_of_two(jump, binary64);
  plan.backoff_factor = scalar_power_of_two(-jump, binary64);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 1, binary32)});
  // Enough to leave the range; a binary32 scale reaches zero after 149 + 126 / jump.
  const std::int64_t windows = draw.between(6, 30);
  for (std::int64_t i = 0; i < windows; ++i) {
    // A clean gradient that S·c keeps finite at every scale: zero.
    const std::uint64_t c = down ? binary32.infinity() : 0;
    builder.backward({{"w", vector({c}, binary32)}})
        .step("o")
        .update()
        .observe({"scale"})
        .zero_grad("o");
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/scale-stays-usable", kUsableScale, generate);

}  // namespace
}  // namespace ampcheck::properties
