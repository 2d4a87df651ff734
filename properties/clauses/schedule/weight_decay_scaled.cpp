#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;
using subject::Recipe;

// Two thirds come out exactly: batches that are powers of two and a decay of few bits. Half of
// these have a batch beyond the nominal one, since the others leave the decay as it is.
Recipe draw_recipe(Draw& draw) {
  Recipe recipe;
  recipe.kind = subject::RecipeKind::weight_decay;
  if (draw.chance(3)) {
    recipe.batch = draw.between(1, 200);
    recipe.nominal_batch = draw.between(1, 1000);
    recipe.weight_decay =
        scalar(draw_normal(draw, binary64, -14, 0) & ~binary64.sign_bit(), binary64);
  } else {
    recipe.nominal_batch = std::int64_t{1} << draw.between(0, 8);
    recipe.batch = draw.coin() ? recipe.nominal_batch << draw.between(1, 4)
                               : std::int64_t{1} << draw.between(0, 8);
    recipe.weight_decay = scalar(dyadic(draw.between(1, 7), -12, binary64), binary64);
  }
  return recipe;
}

Case generate(Draw& draw) {
  CaseBuilder builder;
  for (std::int64_t n = draw.between(2, 5); n > 0; --n)
    builder.add(draw_recipe(draw)).observe({"weight_decay"});
  return builder.done();
}

AMPCHECK_CLAUSE("schedule/weight-decay-scaled", kRecipe, generate);

}  // namespace
}  // namespace ampcheck::properties
