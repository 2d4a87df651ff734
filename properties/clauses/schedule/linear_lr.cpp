#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;
using subject::Recipe;

// Batches on both sides of the base batch, before, at and after the end of the warm-up. Two thirds
// come out exactly: powers of two divide, and the rate has few bits.
Recipe draw_recipe(Draw& draw) {
  Recipe recipe;
  recipe.kind = subject::RecipeKind::linear_lr;
  if (draw.chance(3)) {
    recipe.base_batch = draw.between(1, 1000);
    recipe.batch = draw.between(1, 10000);
    recipe.warm_up = draw.between(1, 5000);
    recipe.lr = scalar(draw_normal(draw, binary64, -10, 0) & ~binary64.sign_bit(), binary64);
  } else {
    recipe.base_batch = std::int64_t{1} << draw.between(0, 8);
    recipe.batch = std::int64_t{1} << draw.between(0, 10);
    recipe.warm_up = std::int64_t{1} << draw.between(0, 4);
    recipe.lr = scalar(dyadic(draw.between(1, 3), -5, binary64), binary64);
  }
  recipe.step =
      draw.chance(3) ? recipe.warm_up + draw.between(0, 3) : draw.between(0, recipe.warm_up - 1);
  return recipe;
}

Case generate(Draw& draw) {
  CaseBuilder builder;
  for (std::int64_t n = draw.between(2, 5); n > 0; --n)
    builder.add(draw_recipe(draw)).observe({"learning_rate"});
  return builder.done();
}

AMPCHECK_CLAUSE("schedule/linear-lr", kRecipe, generate);

}  // namespace
}  // namespace ampcheck::properties
