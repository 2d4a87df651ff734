#include "properties/clause.hpp"
#include "properties/generators/alike_windows.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

// One window played several times under one scale, with others between.
Case generate(Draw& draw) {
  const AlikeWindow window = draw_alike_window(draw);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(-6, 6)), binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters_of(window.plans));
  for (std::int64_t times = draw.between(2, 3); times != 0; --times) {
    add_alike_window(builder, window);
    if (draw.coin())
      add_alike_window(builder,
                       {window.plans, draw_other_window(draw, window.plans), window.limit});
  }
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/deterministic", kAlike | kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
