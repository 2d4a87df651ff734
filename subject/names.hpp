// The words of the protocol, for what reads and writes them.
#pragma once

#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "subject/case.hpp"
#include "subject/observations.hpp"

namespace ampcheck::subject {

// Each in the order of its enumeration.
inline constexpr std::string_view kOptimizerKinds[] = {"sgd", "adam", "adamw"};
inline constexpr std::string_view kOptimizerForms[] = {"loop", "foreach", "fused"};
inline constexpr std::string_view kReducers[] = {"mean", "sum"};
inline constexpr std::string_view kUnits[] = {"none", "scaled", "unscaled", "cleared", "unknown"};
inline constexpr std::string_view kProfiles[] = {"scaler", "loop", "tokens"};

// Names of steps, in the order of Action.
inline constexpr auto kOperations = []<typename... Actions>(std::variant<Actions...>*) {
  return std::array<std::string_view, sizeof...(Actions)>{Actions::kName...};
}(static_cast<Action*>(nullptr));

// What a hello's `operations` may hold besides.
inline constexpr std::string_view kOwnProduct = "own_product";

// What is observed under a name. gradient/P, parameter/P and state/P/SLOT are tensors.
enum class Shown { nothing_known, scalar, integer, boolean, tensor, gradient };
Shown shown_by(std::string_view observation);

}  // namespace ampcheck::subject
