#include "properties/identify/identify.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "properties/clause.hpp"
#include "properties/identify/clip_epsilon.hpp"
#include "properties/identify/experiments.hpp"
#include "properties/identify/scale_limits.hpp"

namespace ampcheck::properties::identify {
namespace {

using subject::Policy;

// Behind a guard, which returns a gradient below the limit as it is, M·min(1/N, 1/M) is (1/N)·M by
// another name.
bool clip_is_meant(const Policy& policy) {
  return policy.at("clip_formula").word != "limit_minimum" ||
         policy.at("unneeded_clip").word == "multiplies";
}

bool shows_norm(const Trial& trial) {
  return std::any_of(trial.answers.begin(), trial.answers.end(), [](const subject::Answer& answer) {
    const auto norm = answer.observed.find("norm");
    return norm != answer.observed.end() && !norm->second.empty() &&
           std::holds_alternative<subject::Scalar>(norm->second.front());
  });
}

std::vector<Trial> looking_at(unsigned decides, std::vector<Trial> trials) {
  for (Trial& trial : trials) trial.experiment.decides = decides;
  return trials;
}

class Identification {
 public:
  explicit Identification(subject::Subject& subject) : bench_(subject) {}

  Identified run() {
    find({{whole_axis("accumulation"), whole_axis("accumulator"), whole_axis("bad_micro_batch"),
           whole_axis("finite_test"), whole_axis("skip_scope")},
          {}},
         skip_experiments());
    find_schedule();
    const bool is_narrow = word("accumulator") == "parameter";
    find({{whole_axis("unscale"), whole_axis("unscale_format"), whole_axis("output_format"),
           whole_axis("subnormals")},
          {}},
         unscale_experiments(is_narrow));
    find_update();
    find_clip(is_narrow);
    find({{whole_axis("step_arithmetic"), whole_axis("adam_epsilon"), whole_axis("adam_bias"),
           whole_axis("adamw_decay")},
          {}},
         step_experiments());
    find({{whole_axis("schedule_on_skip")}, {}},
         rate_experiments(word("bad_micro_batch") == "dropped" ? Overflows::by_sum
                                                               : Overflows::by_infinity));
    find({{whole_axis("copy_rounding")}, {}}, copy_experiments());
    tell_dependencies();
    return in_order();
  }

 private:
  std::string word(std::string_view axis) const { return known_.at(axis).word; }

  void find(const Group& group, std::vector<Experiment> experiments) {
    take(eliminate(group, bench_.play(std::move(experiments)), known_));
  }

  // What later groups are judged with: the word that is left, or the first of several.
  void take(std::vector<Finding> findings) {
    for (Finding& found : findings) {
      if (!found.words.empty()) known_.declared[found.axis] = found.words.front();
      findings_.push_back(std::move(found));
    }
  }

  void find_schedule() {
    const Overflows how =
        word("bad_micro_batch") == "dropped" ? Overflows::by_sum : Overflows::by_infinity;
    find({{whole_axis("growth_rule"), whole_axis("hysteresis"), whole_axis("hysteresis_refill"),
           whole_axis("scale_lag")},
          {}},
         schedule_experiments(how));
    find({{whole_axis("scale_format"), whole_axis("factor_format")}, {}}, factor_experiments(how));
    take(find_floor(bench_, known_, how));
    take(find_ceiling(bench_, known_, how));
  }

  // The scale may only move inside of a window whose gradients are unscaled one by one.
  void find_update() {
    std::vector<Experiment> experiments;
    if (word("accumulation") == "unscaled") experiments = update_experiments();
    find({{whole_axis("update_at")}, {}}, std::move(experiments));
  }

  void find_clip(bool is_narrow) {
    std::vector<Trial> trials = bench_.play({epsilon_experiment()});
    const std::optional<subject::PolicyValue> epsilon = read_clip_epsilon(trials.front());
    for (Trial& trial : bench_.play(clip_experiments(is_narrow)))
      trials.push_back(std::move(trial));
    Axis epsilons{"clip_epsilon", {{"", {&reference::binary64, 0}}}};
    if (epsilon && !is_same(*epsilon, epsilons.words.front())) epsilons.words.push_back(*epsilon);
    Group norms{{whole_axis("norm_format"), whole_axis("norm_input"), whole_axis("norm_algorithm")},
                {}};
    Group clips{{whole_axis("unneeded_clip"), std::move(epsilons), whole_axis("clip_formula")},
                clip_is_meant};
    if (std::any_of(trials.begin(), trials.end(), shows_norm)) {
      // The norm is taken before anything is clipped.
      take(eliminate(norms, looking_at(kNorm, trials), known_));
      return take(eliminate(clips, looking_at(kGradient, trials), known_));
    }
    norms.axes.insert(norms.axes.end(), clips.axes.begin(), clips.axes.end());
    take(eliminate({norms.axes, clip_is_meant}, trials, known_));
  }

  // Axes that say nothing beside what others have.
  void tell_dependencies() {
    const auto explain = [&](std::string_view axis, const char* why) {
      for (Finding& found : findings_)
        if (found.axis == axis && found.state == Finding::State::open) {
          found.how = why;
          found.is_harmless = true;
        }
    };
    const bool has_floor = known_.at("floor").number.format != nullptr;
    if (word("hysteresis") == "1")
      explain("hysteresis_refill", "every overflow backs off: there is no hysteresis to refill");
    if (!has_floor) explain("at_floor", "there is no floor");
    if (known_.at("ceiling").number.format != nullptr)
      explain("growth_limit", "growth ends at the ceiling");
    if (word("accumulation") == "scaled")
      explain("update_at", "scaled gradients are summed: the scale cannot move inside a window");
    if (word("adam_bias") == "kept")
      explain("adam_epsilon", "without bias corrections both places are one");
    if (word("accumulator") != "wide") return;
    for (const char* axis : {"output_format", "norm_format"})
      explain(axis, "gradients are kept in binary32 or wider in any case");
    explain("unscale_format",
            "gradients are kept in binary32 or wider: rounded twice is rounded once");
  }

  Identified in_order() {
    Identified result;
    result.cases = bench_.cases();
    for (const subject::PolicyAxis& axis : subject::policy_axes()) {
      const auto found = std::find_if(findings_.begin(), findings_.end(),
                                      [&](const Finding& one) { return one.axis == axis.name; });
      if (found == findings_.end())
        throw std::logic_error("no experiment for policy axis " + std::string(axis.name));
      result.findings.push_back(*found);
    }
    return result;
  }

  Bench bench_;
  Policy known_;
  std::vector<Finding> findings_;
};

}  // namespace

const Finding& Identified::at(std::string_view axis) const {
  return *std::find_if(findings.begin(), findings.end(),
                       [&](const Finding& one) { return one.axis == axis; });
}

Policy Identified::known() const {
  Policy policy;
  for (const Finding& found : findings)
    if (found.state == Finding::State::known) policy.declared[found.axis] = found.words.front();
  return policy;
}

Identified identify(subject::Subject& subject) { return Identification(subject).run(); }

}  // namespace ampcheck::properties::identify
