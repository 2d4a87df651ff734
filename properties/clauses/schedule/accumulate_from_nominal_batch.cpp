#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {
namespace {

using subject::Recipe;

// Whole quotients, halfway ones, batches beyond the nominal one, and any others.
Recipe draw_recipe(Draw& draw) {
  Recipe recipe;
  recipe.batch = draw.pick<std::int64_t>({1, 2, 6, 8, 12, 16, 24, 32, 48, draw.between(1, 300)});
  switch (draw.between(0, 3)) {
    case 0:
      recipe.nominal_batch = recipe.batch * draw.between(1, 40);
      break;
    case 1:
      recipe.batch *= 2;
      recipe.nominal_batch = recipe.batch / 2 * (2 * draw.between(0, 20) + 1);
      break;
    case 2:
      recipe.nominal_batch = draw.between(1, recipe.batch);
      break;
    default:
      recipe.nominal_batch = draw.pick<std::int64_t>({64, 64, draw.between(1, 4096)});
  }
  return recipe;
}

Case generate(Draw& draw) {
  CaseBuilder builder;
  for (std::int64_t n = draw.between(3, 6); n > 0; --n)
    builder.add(draw_recipe(draw)).observe({"accumulate"});
  return builder.done();
}

AMPCHECK_CLAUSE("schedule/accumulate-from-nominal-batch", kRecipe, generate);

}  // namespace
}  // namespace ampcheck::properties
