#include "properties/identify/elimination.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <numeric>
#include <optional>

#include "properties/judge.hpp"
#include "properties/policy.hpp"

namespace ampcheck::properties::identify {
namespace {

using subject::Policy;
using subject::PolicyValue;
using Combination = std::vector<std::size_t>;  // a word of each axis

template <typename T>
bool holds(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
}

class Elimination {
 public:
  Elimination(const Group& group, const std::vector<Trial>& trials, const Policy& known)
      : group_(group), known_(known) {
    for (const Trial& trial : trials) (trial.answers.empty() ? silent_ : trials_).push_back(&trial);
    evidence_.resize(trials_.size());
    reasons_.resize(trials_.size());
    combine({});
    for (const Combination& one : combinations_) policies_.push_back(policy_of(one));
    verdicts_.assign(combinations_.size(), std::vector<Kept>(trials_.size(), Kept::not_judged));
  }

  std::vector<Finding> run() {
    std::vector<std::size_t> all(trials_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<std::size_t> left = survivors(all);
    if (left.empty()) {
      set_aside(all);
      left = survivors(all);
    }
    return left.empty() ? inconsistent(all) : consistent(left);
  }

 private:
  enum class Kept : std::uint8_t { not_judged, yes, no };

  void combine(Combination so_far) {
    if (so_far.size() == group_.axes.size()) {
      if (!group_.is_meant || group_.is_meant(policy_of(so_far)))
        combinations_.push_back(std::move(so_far));
      return;
    }
    const std::size_t words = group_.axes[so_far.size()].words.size();
    so_far.push_back(0);
    for (std::size_t w = 0; w < words; ++w) {
      so_far.back() = w;
      combine(so_far);
    }
  }

  Policy policy_of(const Combination& one) const {
    Policy policy = known_;
    for (std::size_t a = 0; a < one.size(); ++a)
      policy.declared[std::string(group_.axes[a].name)] = group_.axes[a].words[one[a]];
    return policy;
  }

  bool breaks(std::size_t combination, std::size_t trial) {
    Kept& kept = verdicts_[combination][trial];
    if (kept != Kept::not_judged) return kept == Kept::no;
    kept = Kept::yes;
    const Experiment& experiment = trials_[trial]->experiment;
    try {
      const Judgement judgement =
          judge(experiment.played, trials_[trial]->answers,
                reference_policy(policies_[combination]), experiment.decides);
      if (judgement.outcome == Judgement::Outcome::fail) kept = Kept::no;
      if (judgement.patterns > 0 || kept == Kept::no) evidence_[trial] = true;
      if (reasons_[trial].empty()) reasons_[trial] = judgement.reason;
    } catch (const std::exception&) {
      // A combination under which the session cannot go on (a scale of zero that is not shown) says
      // nothing.
    }
    return kept == Kept::no;
  }

  std::vector<std::size_t> survivors(const std::vector<std::size_t>& trials) {
    std::vector<std::size_t> left;
    for (std::size_t c = 0; c < combinations_.size(); ++c)
      if (std::none_of(trials.begin(), trials.end(), [&](std::size_t t) { return breaks(c, t); }))
        left.push_back(c);
    return left;
  }

  // Takes out what no combination explains.
  void set_aside(std::vector<std::size_t>& trials) {
    std::vector<std::size_t> rest;
    for (const std::size_t t : trials) {
      std::size_t c = 0;
      while (c < combinations_.size() && breaks(c, t)) ++c;
      if (c < combinations_.size())
        rest.push_back(t);
      else
        unexplained_.push_back(t);
    }
    trials = std::move(rest);
  }

  // Experiments made for an axis in which something was compared.
  bool has_evidence(std::string_view axis) const {
    for (std::size_t t = 0; t < trials_.size(); ++t)
      if (evidence_[t] && !holds(unexplained_, t) && holds(trials_[t]->experiment.tells, axis))
        return true;
    return false;
  }

  // Why nothing was seen; whether that is because the subject cannot be asked.
  std::string why_nothing(std::string_view axis, bool& is_harmless) const {
    is_harmless = true;
    std::string why;
    for (std::size_t t = 0; t < trials_.size(); ++t) {
      if (!holds(trials_[t]->experiment.tells, axis)) continue;
      is_harmless = false;
      why = holds(unexplained_, t) ? "nothing that any word explains"
                                   : trials_[t]->experiment.name + ": " + reasons_[t];
    }
    for (const Trial* trial : silent_) {
      if (!holds(trial->experiment.tells, axis)) continue;
      is_harmless = is_harmless && !trial->is_applicable;
      if (why.empty()) why = trial->why_silent;
    }
    return why.empty() ? "there is no experiment for it here" : why;
  }

  std::vector<PolicyValue> words_in(std::size_t axis, const std::vector<std::size_t>& left) const {
    std::vector<PolicyValue> words;
    for (std::size_t w = 0; w < group_.axes[axis].words.size(); ++w)
      if (std::any_of(left.begin(), left.end(),
                      [&](std::size_t c) { return combinations_[c][axis] == w; }))
        words.push_back(group_.axes[axis].words[w]);
    return words;
  }

  // Gives up words whose sets hold those of another word that is left.
  std::vector<PolicyValue> narrow(std::size_t axis, std::vector<std::size_t>& left) const {
    const std::string_view name = group_.axes[axis].name;
    const std::vector<PolicyValue> words = words_in(axis, left);
    std::vector<PolicyValue> wider;
    for (const PolicyValue& wide : words)
      if (std::any_of(words.begin(), words.end(),
                      [&](const PolicyValue& one) { return is_narrower(name, one, wide); }))
        wider.push_back(wide);
    std::erase_if(left, [&](std::size_t c) {
      return holds(wider, group_.axes[axis].words[combinations_[c][axis]]);
    });
    return wider;
  }

  std::vector<Finding> consistent(std::vector<std::size_t> left) {
    std::vector<Finding> findings(group_.axes.size());
    for (std::size_t a = 0; a < findings.size(); ++a)
      if (has_evidence(group_.axes[a].name)) findings[a].wider = narrow(a, left);
    for (std::size_t a = 0; a < findings.size(); ++a) {
      Finding& found = findings[a];
      found.axis = group_.axes[a].name;
      found.words = words_in(a, left);
      if (!has_evidence(found.axis)) {
        found.how = why_nothing(found.axis, found.is_harmless);
      } else if (found.words.size() == 1) {
        found.state = Finding::State::known;
        tell_how(found, a, left.front());
      } else {
        found.is_harmless = true;
        found.how = "no difference in anything that can be seen";
      }
      name_unexplained(found);
    }
    return findings;
  }

  // Of each other word: the experiment that speaks against it where nothing else is changed.
  void tell_how(Finding& found, std::size_t axis, std::size_t combination) {
    std::vector<std::string> names;
    bool is_mixed = false;
    for (std::size_t w = 0; w < group_.axes[axis].words.size(); ++w) {
      const PolicyValue& other = group_.axes[axis].words[w];
      if (w == combinations_[combination][axis] || holds(found.wider, other)) continue;
      is_mixed = is_mixed || is_narrower(found.axis, other, found.words.front());
      const std::optional<std::size_t> changed = with_word(combination, axis, w);
      for (std::size_t t = 0; changed && t < trials_.size(); ++t)
        if (!holds(unexplained_, t) && breaks(*changed, t)) {
          if (!holds(names, trials_[t]->experiment.name))
            names.push_back(trials_[t]->experiment.name);
          break;
        }
    }
    found.how = !names.empty()        ? listed(names)
                : found.wider.empty() ? "read off what was shown"
                                      : "explains everything, and admits least";
    if (is_mixed) tell_mixture(found, axis, combination);
  }

  // Of a word for several ways at once: which of them was seen where.
  void tell_mixture(Finding& found, std::size_t axis, std::size_t combination) {
    for (std::size_t w = 0; w < group_.axes[axis].words.size(); ++w) {
      const PolicyValue& narrow = group_.axes[axis].words[w];
      const std::optional<std::size_t> changed = with_word(combination, axis, w);
      if (!changed || !is_narrower(found.axis, narrow, found.words.front())) continue;
      Explained one = explained_by(narrow, {*changed}, found.axis);
      if (!one.kept.empty()) found.explained.push_back(std::move(one));
    }
  }

  std::optional<std::size_t> with_word(std::size_t combination, std::size_t axis,
                                       std::size_t w) const {
    Combination wanted = combinations_[combination];
    wanted[axis] = w;
    const auto found = std::find(combinations_.begin(), combinations_.end(), wanted);
    if (found == combinations_.end()) return {};
    return static_cast<std::size_t>(found - combinations_.begin());
  }

  // What at least one of these combinations explains.
  Explained explained_by(const PolicyValue& word, const std::vector<std::size_t>& combinations,
                         std::string_view axis) {
    Explained result{word, {}, {}};
    for (std::size_t t = 0; t < trials_.size(); ++t) {
      if (!holds(trials_[t]->experiment.tells, axis) || holds(unexplained_, t)) continue;
      const bool kept = std::any_of(combinations.begin(), combinations.end(),
                                    [&](std::size_t c) { return !breaks(c, t); });
      (kept ? result.kept : result.broken).push_back(trials_[t]->experiment.name);
    }
    return result;
  }

  // Each experiment is explained by some combination, and all of them by none.
  std::vector<Finding> inconsistent(const std::vector<std::size_t>& trials) {
    std::vector<Finding> findings;
    for (std::size_t a = 0; a < group_.axes.size(); ++a) {
      const Axis& axis = group_.axes[a];
      Finding& found = findings.emplace_back();
      found.axis = axis.name;
      std::vector<std::vector<std::size_t>> broken_by(axis.words.size());
      for (std::size_t w = 0; w < axis.words.size(); ++w) {
        std::vector<std::size_t> with_it;
        for (std::size_t c = 0; c < combinations_.size(); ++c)
          if (combinations_[c][a] == w) with_it.push_back(c);
        for (const std::size_t t : trials)
          if (std::all_of(with_it.begin(), with_it.end(),
                          [&](std::size_t c) { return breaks(c, t); }))
            broken_by[w].push_back(t);
        if (broken_by[w].empty()) found.words.push_back(axis.words[w]);
        found.explained.push_back(explained_by(axis.words[w], with_it, axis.name));
      }
      const bool makes_no_difference =
          std::all_of(broken_by.begin(), broken_by.end(),
                      [&](const auto& one) { return one == broken_by.front(); });
      if (makes_no_difference && axis.words.size() > 1) {
        found.explained.clear();
        found.is_harmless = has_evidence(axis.name);
        found.how = "no difference in anything that can be seen";
      } else if (found.words.size() == 1) {
        found.state = Finding::State::known;
        found.explained.clear();
        found.how = "every other word fails, whatever stands beside it";
      } else {
        found.state = Finding::State::inconsistent;
        found.how = "no word explains everything";
      }
      name_unexplained(found);
    }
    return findings;
  }

  void name_unexplained(Finding& found) const {
    std::vector<std::string> names;
    for (const std::size_t t : unexplained_)
      if (holds(trials_[t]->experiment.tells, std::string_view(found.axis)))
        names.push_back(trials_[t]->experiment.name);
    if (!names.empty()) found.how += "; no word explains: " + listed(names);
  }

  const Group& group_;
  const Policy& known_;
  std::vector<const Trial*> trials_, silent_;
  std::vector<Combination> combinations_;
  std::vector<Policy> policies_;             // of the combinations
  std::vector<std::vector<Kept>> verdicts_;  // by combination and trial
  std::vector<bool> evidence_;               // of the trials: something was compared
  std::vector<std::string> reasons_;         // of the trials: why nothing was
  std::vector<std::size_t> unexplained_;     // trials that no combination explains
};

}  // namespace

std::vector<Finding> eliminate(const Group& group, const std::vector<Trial>& trials,
                               const Policy& known) {
  return Elimination(group, trials, known).run();
}

}  // namespace ampcheck::properties::identify
