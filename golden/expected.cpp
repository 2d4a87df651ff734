#include "golden/expected.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/engine.hpp"
#include "properties/policy.hpp"
#include "properties/recipes.hpp"
#include "properties/session.hpp"
#include "reference/rounding.hpp"
#include "subject/in_process.hpp"
#include "subject/json_writer.hpp"

namespace ampcheck::golden {
namespace {

using namespace subject;
using reference::Admissible;
using reference::TrainingWindow;
using reference::Verdict;

// "3f800000", {"one_of":[…]}, {"from":…,"to":…}, and besides "infinities" and "nan" where they
// belong to the set; "anything" where the rules say nothing.
void append_set(JsonWriter& out, const Admissible& set) {
  const NumberFormat& f = set.format();
  const auto hex = [&](std::uint64_t bits) { return reference::to_hex_bits(bits, f); };
  if (set.is_single()) {
    out.word(hex(set.single()));
    return;
  }
  const bool nan = set.contains(f.nan());
  const std::vector<std::uint64_t> patterns = set.patterns();
  const bool infinities =
      f.has_infinity() && set.contains(f.infinity()) && set.contains(f.infinity() | f.sign_bit());
  if (nan && set.is_interval() && infinities) {
    out.word("anything");
    return;
  }
  out.begin_object();
  if (set.is_interval()) {
    out.key("from").word(hex(patterns.front())).key("to").word(hex(patterns.back()));
  } else if (!patterns.empty()) {
    out.key("one_of").begin_array();
    for (const std::uint64_t bits : patterns) out.word(hex(bits));
    out.end_array();
  }
  if (infinities) out.key("infinities").boolean(true);
  if (nan) out.key("nan").boolean(true);
  out.end_object();
}

std::string elements(const NumberFormat& format, const std::vector<Admissible>& sets) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("format").word(format.name).key("elements").begin_array();
  for (const Admissible& set : sets) append_set(out, set);
  out.end_array().end_object();
  return text.substr(1, text.size() - 2);
}

std::string elements(const std::vector<Admissible>& sets) {
  return elements(sets.front().format(), sets);
}

std::string elements(const subject::Recipe& recipe) {
  if (recipe.kind == RecipeKind::weight_decay || recipe.kind == RecipeKind::linear_lr)
    return elements({properties::recipe_number(recipe, reference::binary64)});
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("integers").begin_array();
  for (const std::int64_t one : properties::recipe_integers(recipe)) out.integer(one);
  out.end_array().end_object();
  return text.substr(1, text.size() - 2);
}

std::string verdict(const char* what, Verdict verdict, bool where_clean) {
  std::string text = "\"" + std::string(what) + "\":";
  if (verdict == Verdict::unknown) return text + "\"either\"";
  return text + ((verdict == Verdict::clean) == where_clean ? "true" : "false");
}

// Plays a case on the model of one policy and says what may be seen.
class Looker {
 public:
  Looker(const Vector& vector, const NamedPolicy& named)
      : played_(vector.played),
        model_(properties::reference_policy(policy_of(named))),
        reals_(vector.reals) {}

  // Calls see(place, fields) for every observation of which the rules say something, and
  // exact(place, values) for those that they say exactly.
  template <typename See, typename SeeExactly>
  void run(const See& see, const SeeExactly& exact) {
    for (std::size_t i = 0; i < played_.steps.size(); ++i) {
      const Step& step = played_.steps[i];
      properties::apply(step, nullptr, model_);
      reals_.apply(step, model_);
      follow(step);
      for (const std::string& name : step.observe) {
        const Place place{i, name, unit_of(name)};
        const std::string fields = look(i, step, name);
        if (!fields.empty()) see(place, fields);
        if (after_step(name)) continue;
        const std::optional<ExactValues> values = reals_.look(name, model_);
        if (values &&
            std::any_of(values->begin(), values->end(), [](auto& x) { return x.has_value(); }))
          exact(place, *values);
      }
    }
  }

 private:
  // Which optimizers have stepped since their gradients were cleared, and since when a state
  // stands.
  void follow(const Step& step) {
    if (const auto* made = std::get_if<MakeOptimizer>(&step.action)) {
      for (const Parameter& p : made->parameters) owner_[p.name] = made->name;
    } else if (const auto* taken = std::get_if<TakeStep>(&step.action)) {
      stepped_[taken->optimizer] = true;
      if (model_.verdict(taken->optimizer) != Verdict::overflow)
        std::erase_if(state_since_, [&](const auto& entry) {
          return owner_.at(parameter_of(entry.first)) == taken->optimizer;
        });
    } else if (const auto* zeroed = std::get_if<ZeroGrad>(&step.action)) {
      stepped_[zeroed->optimizer] = false;
    }
  }

  static std::string parameter_of(const std::string& name) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) return "";
    return name.substr(slash + 1, name.find('/', slash + 1) - slash - 1);
  }
  static std::string kind_of(const std::string& name) { return name.substr(0, name.find('/')); }

  // After the step a gradient may be anything.
  bool after_step(const std::string& name) {
    return kind_of(name) == "gradient" && stepped_[owner_.at(parameter_of(name))];
  }

  std::string unit_of(const std::string& name) {
    if (kind_of(name) != "gradient" || !model_.has_gradient(parameter_of(name))) return "";
    const bool unscaled =
        model_.is_unscaled(parameter_of(name)) || model_.policy().accumulates_unscaled;
    return unscaled ? "unscaled" : "scaled";
  }

  std::string look(std::size_t index, const Step& step, const std::string& name) {
    const std::string kind = kind_of(name), parameter = parameter_of(name);
    const bool is_backward = std::holds_alternative<Backward>(step.action);
    if (const auto* recipe = std::get_if<subject::Recipe>(&step.action)) return elements(*recipe);
    if (kind == "seed" && is_backward) return elements({model_.seed()});
    if (kind == "cotangent" && is_backward) return elements({model_.cotangent()});
    if (kind == "scale") {
      Admissible set(*model_.policy().scale_format);
      for (const reference::Rational& scale : model_.scales_in_force())
        set.add(reference::round_to(scale, set.format()));
      return elements({set});
    }
    if (kind == "norm" && model_.norm()) return elements({model_.norm()->computed});
    if (kind == "stepped")
      if (const auto* taken = std::get_if<TakeStep>(&step.action))
        return verdict("stepped", model_.verdict(taken->optimizer), true);
    if (kind == "found_non_finite")
      if (const auto* a = std::get_if<Unscale>(&step.action))
        return verdict("found_non_finite", model_.verdict(a->optimizer), false);
    if (kind == "gradient" && model_.has_gradient(parameter) && !after_step(name))
      return elements(model_.is_unscaled(parameter) ? model_.unscaled_gradient(parameter)
                                                    : model_.scaled_gradient(parameter));
    if (kind == "parameter" && model_.parameter_is_known(parameter))
      return elements(model_.parameter(parameter));
    if (kind == "master" && model_.has_master(parameter) && model_.master_is_known(parameter))
      return elements(model_.master(parameter));
    if (kind == "state") {
      const auto [since, is_new] = state_since_.emplace(name, index);
      if (!is_new) return "\"unchanged_since\":" + std::to_string(since->second);
    }
    return "";
  }

  const Case& played_;
  TrainingWindow model_;
  RealNumbers reals_;
  std::map<std::string, std::string> owner_;
  std::map<std::string, bool> stepped_;
  std::map<std::string, std::size_t> state_since_;
};

// What the mutant really shows where the judge blames it.
MistakeEntry mistake_of(const Vector& vector, const std::string& mutant) {
  const properties::BuiltIn* found = properties::find_built_in("mutant:" + mutant);
  const properties::Clause* clause = properties::find_clause(vector.clause);
  if (found == nullptr) throw std::logic_error(vector.id + ": no mutant " + mutant);
  if (clause == nullptr) throw std::logic_error(vector.id + ": no clause " + vector.clause);
  InProcess subject(found->hello(), found->make);
  const properties::ClauseReport report = properties::run_case(subject, *clause, vector.played);
  if (report.verdict != properties::Verdict::fail || !report.failure || !report.failure->fault)
    throw std::logic_error(vector.id + ": " + mutant + " is not caught");
  const properties::Fault& fault = *report.failure->fault;
  MistakeEntry entry{"mutant:" + mutant,
                     std::string(found->description),
                     {fault.step, fault.observation, ""},
                     fault.element,
                     "",
                     ""};
  JsonWriter out(entry.shown);
  const Value& value =
      report.failure->reply.answers.at(fault.step).observed.at(fault.observation).at(fault.rank);
  if (const auto* tensor = std::get_if<ObservedTensor>(&value))
    out.word(reference::to_hex_bits(tensor->tensor.bits.at(fault.element), *tensor->tensor.format));
  else if (const auto* scalar = std::get_if<Scalar>(&value))
    out.word(reference::to_hex_bits(scalar->bits, *scalar->format));
  else if (const auto* boolean = std::get_if<bool>(&value))
    out.boolean(*boolean);
  else if (const auto* integer = std::get_if<std::int64_t>(&value))
    out.integer(*integer);
  else
    throw std::logic_error(vector.id + ": " + mutant + " shows nothing");
  return entry;
}

MistakeEntry mistake_of(const Diagnosis& d, const golden::Recipe& recipe) {
  MistakeEntry entry{recipe.name,
                     recipe.sentence,
                     {d.step, d.observation, ""},
                     d.element,
                     recipe.gives ? recipe.gives->to_string() : "NaN",
                     ""};
  const std::uint64_t bits =
      recipe.gives ? reference::round_to(*recipe.gives, *d.format) : d.format->nan();
  JsonWriter(entry.shown).word(reference::to_hex_bits(bits, *d.format));
  return entry;
}

}  // namespace

subject::Policy policy_of(const NamedPolicy& named) {
  subject::Policy policy = Textbook::hello().policy;
  for (const auto& [axis, value] : named.changes) policy.declared[axis] = value;
  return policy;
}

Expected expected_of(const Vector& vector) {
  Expected expected;
  std::vector<NamedPolicy> policies{{"textbook", {}}};
  policies.insert(policies.end(), vector.policies.begin(), vector.policies.end());
  for (const NamedPolicy& named : policies) {
    expected.policies[named.name] = policy_of(named);
    const bool first = &named == &policies.front();
    Looker(vector, named)
        .run(
            [&](const Place& place, const std::string& fields) {
              for (SetEntry& entry : expected.sets)
                if (entry.place == place && entry.fields == fields) {
                  entry.policies.push_back(named.name);
                  return;
                }
              expected.sets.push_back({place, {named.name}, fields});
            },
            [&](const Place& place, const ExactValues& values) {
              if (first) expected.exact.push_back({place, values});
            });
  }
  // One place after another, and at each the policies in their order.
  std::stable_sort(
      expected.sets.begin(), expected.sets.end(),
      [](const SetEntry& a, const SetEntry& b) { return a.place.step < b.place.step; });
  for (const std::string& mutant : vector.mutants)
    expected.mistakes.push_back(mistake_of(vector, mutant));
  if (vector.diagnosis)
    for (const Recipe& recipe : vector.diagnosis->recipes)
      expected.mistakes.push_back(mistake_of(*vector.diagnosis, recipe));
  return expected;
}

}  // namespace ampcheck::golden
