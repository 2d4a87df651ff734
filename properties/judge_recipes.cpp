// What a recipe shows.
#include "properties/clause.hpp"
#include "properties/difference.hpp"
#include "properties/judge_walk.hpp"
#include "properties/recipes.hpp"

namespace ampcheck::properties::judging {
namespace {

std::string listed(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

}  // namespace

void Walk::look_recipe(const std::string& name, const Value& value, std::size_t rank) {
  if (!decides(kRecipe)) return;
  const auto& recipe = std::get<Recipe>(step().action);
  const bool is_count = recipe.kind == RecipeKind::accumulate || recipe.kind == RecipeKind::warm_up;
  if (const auto* number = std::get_if<Scalar>(&value); number != nullptr && !is_count) {
    // What was computed in binary32 may be shown as a binary64 number.
    const bool is_short =
        same_number(number->bits, *number->format, reference::binary32).has_value();
    compare(name, number->bits, *number->format,
            recipe_number(recipe, is_short ? reference::binary32 : reference::binary64), true, 0,
            rank);
    return;
  }
  std::vector<std::int64_t> seen;
  if (const auto* one = std::get_if<std::int64_t>(&value))
    seen = {*one};
  else if (const auto* list = std::get_if<Integers>(&value))
    seen = list->values;
  else
    return not_judged(name, "is null");
  const std::vector<std::int64_t> expected = recipe_integers(recipe);
  counted(true);
  if (seen != expected) fail("wrong count", name, listed(expected), listed(seen), "", 0, rank);
}

}  // namespace ampcheck::properties::judging
