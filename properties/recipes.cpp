#include "properties/recipes.hpp"

#include "reference/batch_schedule.hpp"
#include "reference/recipe_numbers.hpp"

namespace ampcheck::properties {

using namespace subject;

std::vector<std::int64_t> recipe_integers(const Recipe& r) {
  if (r.kind == RecipeKind::accumulate) return {reference::micro_batches(r.nominal_batch, r.batch)};
  std::vector<std::int64_t> asked;
  for (std::int64_t i = 0; i < r.micro_batches * r.epochs; ++i)
    asked.push_back(reference::micro_batches_in_warm_up(i, r.warm_up, r.nominal_batch, r.batch));
  return reference::window_ends(asked, r.micro_batches);
}

reference::Admissible recipe_number(const Recipe& r, const reference::NumberFormat& shown) {
  const auto value = [](const Scalar& x) { return reference::value_of(x.bits, *x.format); };
  if (r.kind == RecipeKind::weight_decay)
    return reference::scaled_weight_decay_in(shown, value(r.weight_decay), r.nominal_batch,
                                             r.batch);
  return reference::scaled_rate_in(shown, r.step, r.warm_up, value(r.lr), r.base_batch, r.batch);
}

}  // namespace ampcheck::properties
