// The words of the protocol, for what reads and writes them.
#pragma once

#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "subject/case.hpp"
#include "subject/observations.hpp"

namespace ampcheck::subject {

// The formats of cases and answers: those in which the rules are judged. The table they point into
// has others.
inline constexpr const NumberFormat* kFormats[] = {
    &reference::binary16, &reference::bfloat16,      &reference::binary32,
    &reference::binary64, &reference::float8_e4m3fn, &reference::float8_e5m2,
};
// Null where the protocol has no format of this name.
constexpr const NumberFormat* find_format(std::string_view name) {
  for (const NumberFormat* format : kFormats)
    if (format->name == name) return format;
  return nullptr;
}

// Each in the order of its enumeration.
inline constexpr std::string_view kOptimizerKinds[] = {"sgd", "adam", "adamw"};
inline constexpr std::string_view kOptimizerForms[] = {"loop", "foreach", "fused"};
inline constexpr std::string_view kRecipes[] = {"accumulate", "weight_decay", "warm_up",
                                                "linear_lr"};
inline constexpr std::string_view kRecipeShows[] = {"accumulate", "weight_decay", "window_ends",
                                                    "learning_rate"};  // what each is asked for
inline constexpr std::string_view kReducers[] = {"mean", "sum"};
inline constexpr std::string_view kUnits[] = {"none", "scaled", "unscaled", "cleared", "unknown"};
inline constexpr std::string_view kProfiles[] = {"scaler", "loop", "tokens"};

// Names of steps, in the order of Action.
inline constexpr auto kOperations = []<typename... Actions>(std::variant<Actions...>*) {
  return std::array<std::string_view, sizeof...(Actions)>{Actions::kName...};
}(static_cast<Action*>(nullptr));

// What a hello's `operations` may hold besides: the subject forms S·c itself; it may be misused; it
// weights tokens by their class; it shifts labels; its optimizers keep master weights, and follow
// schedules; it has these recipes, in the order of RecipeKind.
inline constexpr std::string_view kOwnProduct = "own_product", kMisuse = "misuse",
                                  kClassWeights = "class_weights", kShift = "shift",
                                  kMasterWeights = "master_weights", kSchedule = "schedule";
inline constexpr std::string_view kRecipeWords[] = {"recipe_accumulate", "recipe_weight_decay",
                                                    "recipe_warm_up", "recipe_linear_lr"};
inline constexpr std::string_view kAbilities[] = {
    kOwnProduct, kMisuse,         kClassWeights,   kShift,          kMasterWeights,
    kSchedule,   kRecipeWords[0], kRecipeWords[1], kRecipeWords[2], kRecipeWords[3]};

// What is observed under a name. gradient/P, parameter/P, master/P and
// state/P/SLOT are tensors.
enum class Shown { nothing_known, scalar, integer, integers, boolean, tensor, gradient };
Shown shown_by(std::string_view observation);

}  // namespace ampcheck::subject
