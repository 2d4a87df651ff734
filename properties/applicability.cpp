#include "properties/applicability.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "properties/clause.hpp"
#include "properties/misuse.hpp"
#include "reference/rounding.hpp"
#include "subject/names.hpp"
#include "subject/norm_order_json.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::Rational;

template <typename T>
bool holds(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

const char* name_of(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::sgd:
      return "sgd";
    case OptimizerKind::adam:
      return "adam";
    case OptimizerKind::adamw:
      return "adamw";
  }
  return "";
}

const char* name_of(OptimizerForm form) {
  switch (form) {
    case OptimizerForm::loop:
      return "loop";
    case OptimizerForm::foreach:
      return "foreach";
    case OptimizerForm::fused:
      return "fused";
  }
  return "";
}

bool is_about_odds(const Case& given) {
  const Clause* clause = find_clause(given.clause);
  return clause != nullptr && (clause->decides & kOdds) != 0;
}

class Check {
 public:
  explicit Check(const Hello& hello) : hello_(hello) {}

  std::string reason;

  void operator()(const MakeScaler& a) {
    const Limits& limits = hello_.limits;
    const auto value = [](const Scalar& x) { return reference::value_of(x.bits, *x.format); };
    // Of settings that make no sense no limit speaks.
    const auto makes_sense = [&](const Scalar& x) {
      return x.format->is_finite(x.bits) && value(x).sign() > 0;
    };
    if (makes_sense(a.init_scale)) {
      const Rational scale = value(a.init_scale);
      if (limits.scale_min && scale < value(*limits.scale_min)) say("limits.scale_min");
      if (limits.scale_max && scale > value(*limits.scale_max)) say("limits.scale_max");
    }
    if (limits.powers_of_two)
      for (const Scalar* x : {&a.init_scale, &a.growth_factor, &a.backoff_factor})
        if (makes_sense(*x) && !value(*x).is_power_of_two()) say("limits.powers_of_two");
  }
  void operator()(const MakeOptimizer& a) {
    const std::string kind = name_of(a.kind), form = name_of(a.form);
    const auto forms = hello_.forms.find(kind);
    const bool offered = forms == hello_.forms.end()
                             ? kind == "sgd" && a.form == OptimizerForm::loop
                             : holds(forms->second, form);
    if (!offered) say("forms." + kind + " without " + form);
    for (const Parameter& p : a.parameters) {
      ++tensors_;
      const std::string& source = p.same_as.empty() ? p.name : p.same_as;
      owned_[a.name].push_back(source);
      if (!p.same_as.empty()) continue;
      formats_[p.name] = p.initial.format;
      wants("parameter", p.initial.format);
      wants("step/" + form, p.initial.format);
      if (hello_.limits.elements &&
          static_cast<std::int64_t>(p.initial.bits.size()) > *hello_.limits.elements)
        say("limits.elements");
    }
    form_[a.name] = form;
    if (hello_.limits.tensors && tensors_ > *hello_.limits.tensors) say("limits.tensors");
  }
  void operator()(const Backward& a) {
    wants("loss", a.loss.format);
    for (const Coefficients& c : a.coefficients) wants("coefficient", &c.delivered_in());
    if (!hello_.limits.missing_gradients && a.coefficients.size() < formats_.size())
      say("limits.missing_gradients");
  }
  void operator()(const TokenWindow&) {}
  void operator()(const Unscale& a) { wants_owned("unscale", a.optimizer); }
  void operator()(const ClipNorm& a) {
    for (const std::string& name : a.optimizers) wants_owned("clip_norm", name);
    const bool offered = std::ranges::any_of(
        hello_.norms, [&](const Scalar& p) { return subject::is_same_norm_order(p, a.p); });
    if (!offered) say("norms without " + reference::to_hex_float(a.p.bits, *a.p.format));
  }
  void operator()(const ClipValue& a) {
    for (const std::string& name : a.optimizers) wants_owned("clip_value", name);
  }
  void operator()(const TakeStep&) {}
  void operator()(const Update&) {}
  void operator()(const ZeroGrad&) {}
  void operator()(const SaveLoad&) {}
  void operator()(const Recipe&) {}
  void operator()(const Observe&) {}

  // A step's own operation, and those of the words that its fields ask for.
  void operations(const Step& step) {
    operation(step.name());
    if (const auto* a = std::get_if<MakeOptimizer>(&step.action)) {
      if (a->master_weights) operation(kMasterWeights);
      if (!a->schedule.empty()) operation(kSchedule);
    }
    if (const auto* a = std::get_if<Backward>(&step.action); a && a->own_product)
      operation(kOwnProduct);
    if (const auto* a = std::get_if<Recipe>(&step.action))
      operation(kRecipeWords[static_cast<std::size_t>(a->kind)]);
    if (const auto* a = std::get_if<TokenWindow>(&step.action)) {
      if (a->class_weights.format != nullptr) operation(kClassWeights);
      if (a->shift != 0) operation(kShift);
    }
  }
  void operation(std::string_view name) {
    if (!holds(hello_.operations, std::string(name)))
      say("operations without " + std::string(name));
  }

 private:
  void say(const std::string& what) {
    if (reason.empty()) reason = what;
  }
  void wants(const std::string& what, const NumberFormat* format) {
    const auto found = hello_.formats.find(what);
    if (found != hello_.formats.end() && !holds(found->second, format))
      say("formats." + what + " without " + std::string(format->name));
  }
  void wants_owned(const std::string& operation, const std::string& optimizer) {
    for (const std::string& parameter : owned_[optimizer])
      if (const auto found = formats_.find(parameter); found != formats_.end())
        wants(operation, found->second);
  }

  const Hello& hello_;
  std::int64_t tensors_ = 0;
  std::map<std::string, std::vector<std::string>> owned_;
  std::map<std::string, const NumberFormat*> formats_;
  std::map<std::string, std::string> form_;
};

}  // namespace

std::string inapplicable(const Case& given, const Hello& hello) {
  Check check(hello);
  // A missing operation says more than a format that its parameters happen to have.
  for (const Step& step : given.steps) check.operations(step);
  if (is_about_misuse(given)) check.operation(kMisuse);
  if (!check.reason.empty()) return check.reason;
  if (is_about_odds(given) && hello.policy.at("copy_rounding").word != "stochastic")
    return "policy.copy_rounding is not stochastic";
  for (const Step& step : given.steps) {
    std::visit(check, step.action);
    if (!check.reason.empty()) return check.reason;
  }
  return {};
}

bool is_required(std::string_view clause, const std::vector<std::string>& profiles) {
  const std::string_view rule = clause.substr(0, clause.find('/'));
  const auto claims = [&](const char* profile) { return holds(profiles, std::string(profile)); };
  const bool tokens = claims("tokens"), loop = tokens || claims("loop"),
             scaler = loop || claims("scaler");
  if (rule == "scaling") return scaler;
  if (rule == "skipping")
    return scaler && clause != "skipping/ranks-agree" && clause != "skipping/schedule-follows";
  if (rule == "clipping") return loop;
  if (rule == "accumulation")
    return loop && clause != "accumulation/effective-batch" &&
           clause != "accumulation/ranks-reduce-once" &&
           clause != "accumulation/narrow-accumulator-declared";
  if (rule == "tokens") return tokens && clause != "tokens/ranks";
  return false;
}

namespace {

// What no number of a hello may be, in words; empty where it is fine.
std::string number_problem(const std::string& field, const Scalar& number, const Rational& low,
                           const Rational& high, const char* wanted) {
  const bool finite = number.format->is_finite(number.bits);
  if (finite) {
    const Rational value = reference::value_of(number.bits, *number.format);
    if (value >= low && value <= high) return {};
  }
  return "hello." + field + ": expected " + wanted + ", found " +
         reference::to_hex_float(number.bits, *number.format);
}

// Choices are legitimate in a range: a floor at the top of binary32 would be a scale that never
// backs off, and no policy excuses that. Floors seen in released scalers reach from 2^-126 to 1,
// ceilings from 2^24, epsilons from 0 to 1e-5. Limits must leave the scales that trainings start
// from (2^10 … 2^16).
std::string range_problem(const Hello& hello) {
  const auto two_to = [](int exponent) { return Rational::power_of_two(exponent); };
  const Rational tiny = two_to(-1100), huge = two_to(1100);
  std::string problem;
  const auto check = [&](const std::string& field, const std::optional<Scalar>& number,
                         const Rational& low, const Rational& high, const char* wanted) {
    if (problem.empty() && number) problem = number_problem(field, *number, low, high, wanted);
  };
  const auto declared = [&](const char* axis) -> std::optional<Scalar> {
    const Scalar number = hello.policy.at(axis).number;
    return number.format == nullptr ? std::nullopt : std::optional(number);
  };
  check("policy.floor", declared("floor"), tiny, two_to(10), "a number above 0 and up to 2^10");
  check("policy.ceiling", declared("ceiling"), two_to(16), huge, "a finite number from 2^16");
  check("policy.clip_epsilon", declared("clip_epsilon"), 0, two_to(-10),
        "a number from 0 to 2^-10");
  check("limits.scale_min", hello.limits.scale_min, tiny, two_to(10),
        "a number above 0 and up to 2^10");
  check("limits.scale_max", hello.limits.scale_max, two_to(16), huge, "a finite number from 2^16");
  return problem;
}

}  // namespace

std::string hello_problem(const Hello& hello) {
  const auto is_one_of = [](const auto& words, const std::string& word) {
    return std::ranges::find(words, word) != std::ranges::end(words);
  };
  for (const std::string& profile : hello.profiles)
    if (!is_one_of(kProfiles, profile))
      return "hello.profiles: unknown profile \"" + profile + "\"";
  for (const std::string& operation : hello.operations)
    if (!is_one_of(kOperations, operation) && !is_one_of(kAbilities, operation))
      return "hello.operations: unknown operation \"" + operation + "\"";
  for (const auto& [what, formats] : hello.formats)
    if (formats.empty()) return "hello.formats." + what + ": expected at least one format";
  if (hello.profiles.empty() && hello.operations.empty())
    return "hello.operations: nothing is offered";
  if (const std::string problem = range_problem(hello); !problem.empty()) return problem;
  if (hello.policy.at("at_floor").word != "hold" && hello.policy.at("floor").word == "none")
    return "policy.at_floor: there is no floor";
  return {};
}

}  // namespace ampcheck::properties
