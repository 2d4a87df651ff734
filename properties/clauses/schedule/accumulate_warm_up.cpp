#include <bit>

#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {
namespace {

using subject::Recipe;

bool is_power_of_two(std::int64_t x) { return std::has_single_bit(static_cast<std::uint64_t>(x)); }

// Halfway between two integers, at some micro-batch of the warm-up: (2·(batch·warm_up + (nominal -
// batch)·i)) is an odd multiple of batch·warm_up.
bool has_ties(const Recipe& r) {
  for (std::int64_t i = 0; i <= r.warm_up; ++i) {
    const std::int64_t doubled = 2 * (r.batch * r.warm_up + (r.nominal_batch - r.batch) * i);
    if (doubled % (r.batch * r.warm_up) == 0 && doubled / (r.batch * r.warm_up) % 2 != 0)
      return true;
  }
  return false;
}

// One to three epochs, shorter and longer than the warm-up, mostly with a short window at the end.
// Floating point keeps ties where batch and warm-up are powers of two; other recipes have none.
Case generate(Draw& draw) {
  CaseBuilder builder;
  for (std::int64_t n = draw.between(1, 3); n > 0; --n) {
    Recipe recipe;
    recipe.kind = subject::RecipeKind::warm_up;
    do {
      const bool dyadic = draw.coin();
      recipe.batch = dyadic ? std::int64_t{1} << draw.between(0, 5) : draw.between(1, 40);
      recipe.warm_up = dyadic ? std::int64_t{1} << draw.between(1, 6) : draw.between(2, 60);
      recipe.nominal_batch = draw.chance(8)
                                 ? draw.between(1, recipe.batch)
                                 : recipe.batch * draw.between(2, 12) + draw.between(0, 3);
    } while (!(is_power_of_two(recipe.batch) && is_power_of_two(recipe.warm_up)) &&
             has_ties(recipe));
    recipe.micro_batches = draw.between(3, 50);
    recipe.epochs = draw.between(1, 3);
    builder.add(recipe).observe({"window_ends"});
  }
  return builder.done();
}

AMPCHECK_CLAUSE("schedule/accumulate-warm-up", kRecipe, generate);

}  // namespace
}  // namespace ampcheck::properties
