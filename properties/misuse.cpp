#include "properties/misuse.hpp"

#include "properties/clause.hpp"
#include "properties/session_order.hpp"
#include "properties/settings.hpp"
#include "reference/bad_session.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;

template <typename Function>
std::string refusal(Function f) {
  try {
    f();
  } catch (const reference::BadSession& error) {
    return error.what();
  }
  return {};
}

// What is wrong with a step in this order; empty where nothing is.
std::string misuse_of(const Step& step, SessionOrder& order) {
  const bool has_settings = std::holds_alternative<MakeScaler>(step.action) ||
                            std::holds_alternative<ClipNorm>(step.action) ||
                            std::holds_alternative<ClipValue>(step.action);
  if (has_settings)
    if (std::string problem = refusal([&] { check_settings(step); }); !problem.empty())
      return problem;
  const bool has_order = std::holds_alternative<Backward>(step.action) ||
                         std::holds_alternative<Unscale>(step.action) ||
                         std::holds_alternative<TakeStep>(step.action) ||
                         std::holds_alternative<Update>(step.action);
  if (!has_order) {
    refusal([&] { order.check(step); });  // check_case will say so
    return {};
  }
  const auto* unscale = std::get_if<Unscale>(&step.action);
  const bool shares = unscale != nullptr && order.has_unscaled_for_another(unscale->optimizer);
  if (std::string problem = refusal([&] { order.check(step); }); !problem.empty()) return problem;
  return shares ? "optimizer: expected gradients that no other optimizer has unscaled, found one"
                : std::string();
}

}  // namespace

bool is_about_misuse(const Case& given) {
  const Clause* clause = find_clause(given.clause);
  return clause != nullptr && (clause->decides & (kRefusal | kRefusalOrNoHarm)) != 0;
}

std::map<std::size_t, std::string> misuses(const Case& given) {
  std::map<std::size_t, std::string> result;
  SessionOrder order;
  for (std::size_t i = 0; i < given.steps.size(); ++i)
    if (std::string problem = misuse_of(given.steps[i], order); !problem.empty())
      result.emplace(i, std::move(problem));
  return result;
}

}  // namespace ampcheck::properties
