#include "properties/answer_form.hpp"

#include <algorithm>
#include <cstdint>

namespace ampcheck::properties {

using namespace subject;

namespace {

// Whether one step may do the work of another: both belong to the same window, and the other is one
// that moves gradients, parameters or the scale.
bool can_be_done_with(const Case& played, std::size_t step, std::int64_t with) {
  if (with < 0 || with >= static_cast<std::int64_t>(played.steps.size())) return false;
  const auto other = static_cast<std::size_t>(with);
  const auto is = [&]<typename... T>(std::size_t i) {
    return (std::holds_alternative<T>(played.steps[i].action) || ...);
  };
  if (other == step || !is.template operator()<Backward, TokenWindow, Unscale, ClipNorm, ClipValue,
                                               TakeStep, Update>(other))
    return false;
  const auto [first, last] = std::minmax(step, other);
  for (std::size_t i = first; i < last; ++i)
    if (is.template operator()<MakeScaler, MakeOptimizer, Update, ZeroGrad, SaveLoad>(i) &&
        !(i == first && i == step))
      return false;
  return true;
}

}  // namespace

std::string form_fault(const Case& played, const std::vector<Answer>& answers) {
  if (answers.size() != played.steps.size())
    return std::to_string(answers.size()) + " answers for " + std::to_string(played.steps.size()) +
           " steps";
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Answer& a = answers[i];
    if (a.kind == Answer::Kind::with && !can_be_done_with(played, i, a.with))
      return "step " + std::to_string(i) + ": \"with\" names step " + std::to_string(a.with) +
             ", which cannot do its work";
    if (a.kind != Answer::Kind::done) continue;
    for (const std::string& name : played.steps[i].observe) {
      const auto found = a.observed.find(name);
      if (found == a.observed.end()) return "step " + std::to_string(i) + ": no answer to " + name;
      if (static_cast<std::int64_t>(found->second.size()) != played.ranks)
        return "step " + std::to_string(i) + ": " + name + " is not one value a rank";
    }
  }
  return {};
}

}  // namespace ampcheck::properties
