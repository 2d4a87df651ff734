#include "properties/check_case.hpp"

#include <map>

#include "properties/check_token_window.hpp"
#include "properties/misuse.hpp"
#include "properties/session.hpp"
#include "properties/session_order.hpp"
#include "properties/settings.hpp"
#include "reference/training_window.hpp"
#include "subject/names.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::BadSession;
using reference::TrainingWindow;

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape)
    text += (text.size() == 1 ? "" : ",") + std::to_string(size);
  return text + "]";
}

// Every number of the inner format is one of the outer, too.
bool holds_all_of(const NumberFormat& outer, const NumberFormat& inner) {
  const auto holds = [&](std::uint64_t bits) {
    return reference::is_representable(reference::value_of(bits, inner), outer);
  };
  return inner.fraction_bits <= outer.fraction_bits && holds(1) && holds(inner.max_finite());
}

// What the model does not ask for: shapes, formats, and as many ranks as the case has.
class Tensors {
 public:
  explicit Tensors(std::int64_t ranks) : ranks_(ranks) {}

  void check(const Step& step) {
    if (const auto* made = std::get_if<MakeOptimizer>(&step.action))
      for (const Parameter& p : made->parameters) {
        const Tensor* first = p.same_as.empty() ? &p.initial : find(p.same_as);
        BadSession::unless(first != nullptr, "parameters." + p.name + ".same_as",
                           "a parameter that was made before", p.same_as);
        known_[p.name] = first;
      }
    if (const auto* micro_batch = std::get_if<Backward>(&step.action))
      for (const Coefficients& c : micro_batch->coefficients) check(c);
    if (const auto* window = std::get_if<TokenWindow>(&step.action)) check(*window);
  }

 private:
  // Null where the model will say that there is none.
  const Tensor* find(const std::string& parameter) const {
    const auto found = known_.find(parameter);
    return found == known_.end() ? nullptr : found->second;
  }

  void check(const Coefficients& c) const {
    const Tensor* parameter = find(c.parameter);
    if (parameter == nullptr) return;
    const std::string field = "coefficients." + c.parameter;
    BadSession::unless(c.values.shape == parameter->shape, field + ".values.shape",
                       "that of the parameter, " + text_of(parameter->shape),
                       text_of(c.values.shape));
    const NumberFormat& f = c.delivered_in();
    BadSession::unless(holds_all_of(*parameter->format, f),
                       field + (c.format == nullptr ? ".values.format" : ".format"),
                       "one whose numbers are all numbers of " +
                           std::string(parameter->format->name) + ", the parameter's",
                       std::string(f.name));
  }

  void check(const TokenWindow& window) const {
    BadSession::unless(std::ssize(window.ranks) == ranks_, "ranks",
                       std::to_string(ranks_) + " lists, the ranks of the case",
                       std::to_string(window.ranks.size()));
    check_token_window(window);
    const Tensor* parameter = find(window.parameter);
    if (parameter == nullptr) return;
    for (std::size_t r = 0; r < window.ranks.size(); ++r)
      for (std::size_t m = 0; m < window.ranks[r].size(); ++m) {
        const TokenMicroBatch& micro_batch = window.ranks[r][m];
        const std::vector<std::int64_t> expected = {std::ssize(micro_batch.labels),
                                                    std::ssize(parameter->bits)};
        BadSession::unless(
            micro_batch.coefficients.shape == expected,
            "ranks[" + std::to_string(r) + "][" + std::to_string(m) + "].coefficients.shape",
            text_of(expected) + ", a row a label, a column an element of " + window.parameter,
            text_of(micro_batch.coefficients.shape));
      }
  }

  std::int64_t ranks_;
  std::map<std::string, const Tensor*> known_;
};

// A recipe shows its own number.
void check_observations(const Recipe& recipe, const std::vector<std::string>& names) {
  const std::string_view own = kRecipeShows[static_cast<std::size_t>(recipe.kind)];
  for (const std::string& name : names)
    BadSession::unless(name == own, "observe", std::string(own) + ", which the recipe shows", name);
}

// "gradient/P", "parameter/P" and "state/P/SLOT" name a parameter of the case.
void check_observations(const Step& step, const TrainingWindow& model) {
  if (const auto* recipe = std::get_if<Recipe>(&step.action))
    check_observations(*recipe, step.observe);
  for (const std::string& name : step.observe) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) continue;
    const std::string rest = name.substr(slash + 1);
    if (name.starts_with("master/"))
      BadSession::unless(model.has_parameter(rest) && model.has_master(rest), "observe",
                         "the master of a parameter that has one", name);
    BadSession::unless(model.has_parameter(rest.substr(0, rest.find('/'))), "observe",
                       "parameters that were made before", name);
  }
}

}  // namespace

void check_case(const Case& given) {
  if (given.steps.empty()) throw BadSession("steps", "at least one", "none");
  std::map<std::size_t, std::string> misused;
  if (is_about_misuse(given)) misused = misuses(given);
  TrainingWindow model{reference::Policy{}};
  Tensors tensors(given.ranks);
  SessionOrder order;
  for (std::size_t i = 0; i < given.steps.size(); ++i) {
    const Step& step = given.steps[i];
    try {
      tensors.check(step);
      if (misused.contains(i)) continue;
      order.check(step);
      apply(step, nullptr, model);
      check_settings(step);
      check_observations(step, model);
    } catch (const std::exception& error) {  // "field: expected …"
      throw BadSession("steps[" + std::to_string(i) + "]." + error.what());
    }
  }
}

}  // namespace ampcheck::properties
