#include "properties/engine.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "properties/applicability.hpp"
#include "properties/policy.hpp"
#include "properties/repetition.hpp"
#include "properties/shrinkers/shrink_failure.hpp"

namespace ampcheck::properties {

using subject::Case;
using subject::Reply;
using subject::Subject;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The verdict of one case, and what to say.
struct CaseVerdict {
  Verdict verdict;
  std::string reason;
  Judgement judgement;
};

CaseVerdict verdict_of(const Case& played, const Reply& reply, const reference::Policy& policy,
                       unsigned decides, Coverage* coverage = nullptr) {
  switch (reply.kind) {
    case Reply::Kind::answered:
      break;
    case Reply::Kind::crashed:
    case Reply::Kind::flooded:
      return {Verdict::crashed, reply.text, {}};
    case Reply::Kind::error:
    case Reply::Kind::nonsense:
      return {Verdict::errored, reply.text, {}};
    case Reply::Kind::timed_out:
      return {Verdict::timed_out, reply.text, {}};
    case Reply::Kind::lost:
      return {Verdict::not_run, reply.text, {}};
  }
  Judgement judgement = judge(played, reply.answers, policy, decides, coverage);
  switch (judgement.outcome) {
    case Judgement::Outcome::pass:
      return {Verdict::pass, "", std::move(judgement)};
    case Judgement::Outcome::fail:
      return {Verdict::fail, judgement.fault->kind, std::move(judgement)};
    case Judgement::Outcome::not_judged:
      return {Verdict::not_judged, judgement.reason, std::move(judgement)};
    case Judgement::Outcome::empty:
      return {Verdict::not_applicable, std::string(kEverythingDropped), {}};
    case Judgement::Outcome::unsupported:
      return {Verdict::unsupported, judgement.reason, std::move(judgement)};
    case Judgement::Outcome::malformed:
      return {Verdict::errored, judgement.reason, std::move(judgement)};
  }
  return {Verdict::errored, "", {}};
}

// Which verdict of a case wins in its clause: the worst for the subject.
int weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail:
      return 9;
    case Verdict::flaky:
      return 8;
    case Verdict::crashed:
      return 7;
    case Verdict::timed_out:
      return 6;
    case Verdict::errored:
      return 5;
    case Verdict::unsupported:
      return 4;
    case Verdict::not_judged:
      return 3;
    case Verdict::not_run:
      return 2;
    default:
      return 1;
  }
}

bool carries_a_case(Verdict verdict) { return weight(verdict) >= weight(Verdict::errored); }

struct Planned {
  std::size_t clause;
  Case played;
  std::size_t twin;  // index of the same case, played twice; its own index where it is played once
};

class Run {
 public:
  Run(Subject& subject, const std::vector<const Clause*>& clauses, const EngineOptions& options)
      : subject_(subject), options_(options), policy_(reference_policy(subject.hello().policy)) {
    for (const Clause* clause : clauses) report_.clauses.emplace_back().clause = clause;
  }

  RunReport play() {
    plan();
    const auto start = Clock::now();
    const Clock::time_point end = end_of_budget(start);
    std::size_t next = 0;
    const auto source = [&]() -> const Case* {
      if (Clock::now() >= end) return nullptr;
      if (options_.stop_at_first_failure && failed_) return nullptr;
      return next == order_.size() ? nullptr : &planned_[order_[next++]].played;
    };
    std::int64_t done = 0;
    subject_.stop_at(end);
    subject_.play(source, [&](const Case& one, Reply reply) {
      take(index_of_.at(&one), std::move(reply));
      if (options_.progress) options_.progress(++done, static_cast<std::int64_t>(order_.size()));
    });
    subject_.stop_at(Clock::time_point::max());
    for (; next < order_.size(); ++next) unplayed_.insert(planned_[order_[next]].clause);
    finish();
    name_the_mistakes();
    report_.unexplained = subject_.unexplained_falls();
    report_.seconds = seconds_since(start);
    return std::move(report_);
  }

 private:
  Clock::time_point end_of_budget(Clock::time_point start) const {
    if (options_.budget_seconds <= 0) return Clock::time_point::max();
    const std::chrono::duration<double> budget(options_.budget_seconds);
    return start + std::chrono::duration_cast<Clock::duration>(budget);
  }

  // Draws cases until enough of each clause can be asked of this subject, or it is plain that none
  // can.
  void plan() {
    const subject::Hello& hello = subject_.hello();
    for (const Case& one : options_.first)
      for (std::size_t c = 0; c < report_.clauses.size(); ++c)
        if (report_.clauses[c].clause->id == one.clause && inapplicable(one, hello).empty())
          planned_.push_back({c, one, planned_.size()});
    const std::size_t replayed = planned_.size();
    for (std::size_t c = 0; c < report_.clauses.size(); ++c) {
      ClauseReport& report = report_.clauses[c];
      const std::int64_t most = 4 * options_.cases_per_clause + 100;
      std::int64_t found = 0;
      for (std::int64_t i = 0; found < options_.cases_per_clause && i < most; ++i) {
        Case one = generate_case(*report.clause, options_.seed, static_cast<std::uint64_t>(i));
        std::string why = inapplicable(one, hello);
        if (!why.empty()) {
          ++report.left_out;
          report.why_left_out = std::move(why);
          continue;
        }
        planned_.push_back({c, std::move(one), planned_.size()});
        ++found;
      }
      if (found == 0) {
        report.verdict = Verdict::not_applicable;
        report.reason = report.why_left_out;
      }
    }
    // 5 % twice, at random distance and in shuffled order: an answer that hangs on what was played
    // before differs the second time.
    Draw draw(options_.seed, "order of play", 0);
    const std::size_t once = planned_.size();
    for (std::size_t i = replayed; options_.duplicates && i < once; ++i) {
      if (!draw.chance(20)) continue;
      planned_[i].twin = planned_.size();
      Case again = planned_[i].played;
      again.id += ".again";
      planned_.push_back({planned_[i].clause, std::move(again), i});
    }
    for (std::size_t i = 0; i < planned_.size(); ++i) index_of_[&planned_[i].played] = i;
    order_.resize(planned_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t i = order_.size(); i > replayed + 1; --i)
      std::swap(order_[i - 1],
                order_[static_cast<std::size_t>(draw.between(static_cast<std::int64_t>(replayed),
                                                             static_cast<std::int64_t>(i) - 1))]);
  }

  void take(std::size_t index, Reply reply) {
    const Planned& planned = planned_[index];
    ClauseReport& report = report_.clauses[planned.clause];
    const bool is_first = planned.twin >= index;
    CaseVerdict verdict = verdict_of(planned.played, reply, policy_, report.clause->decides,
                                     options_.coverage && is_first ? &report.coverage : nullptr);
    if (planned.twin != index && reply.kind == Reply::Kind::answered) {
      const auto twin = replies_.find(planned.twin);
      if (twin != replies_.end()) {
        ++report_.duplicates;
        if (!is_same(twin->second, reply, random_observations(planned.played, policy_)))
          worsen(report, {Verdict::flaky, "the same case got two different answers", {}},
                 planned.played, reply);
      } else {
        replies_.emplace(index, reply);
      }
    }
    if (is_first) {  // the second playing of a case is not counted again
      ++report.cases;
      ++report_.cases;
      report.patterns += verdict.judgement.patterns;
      report.single += verdict.judgement.single;
      if (verdict.verdict == Verdict::fail) ++report.failing;
      remember(report, planned.played, reply, verdict);
    }
    failed_ = failed_ || verdict.verdict == Verdict::fail;
    if (verdict.verdict == Verdict::not_applicable) {
      if (report.reason.empty()) report.reason = verdict.reason;
      return;
    }
    if (verdict.verdict == Verdict::pass) {
      if (report.verdict == Verdict::not_run) report.verdict = Verdict::pass;
      return;
    }
    if (verdict.verdict == Verdict::not_run) {
      unplayed_.insert(planned.clause);
      if (report.reason.empty()) report.reason = verdict.reason;
      return;
    }
    worsen(report, verdict, planned.played, reply);
  }

  // For a diagnosis.
  void remember(ClauseReport& report, const Case& one, const Reply& reply,
                const CaseVerdict& verdict) const {
    if (!options_.diagnose) return;
    Symptoms& symptoms = report.symptoms;
    symptoms.clause = report.clause;
    if (verdict.verdict == Verdict::fail && symptoms.failing.size() < Symptoms::kMostFailing)
      symptoms.failing.push_back({one, reply.answers, *verdict.judgement.fault});
    if (verdict.verdict == Verdict::pass && symptoms.passing.size() < Symptoms::kMostPassing)
      symptoms.passing.push_back(one);
  }

  void name_the_mistakes() {
    std::vector<const Symptoms*> all;
    std::vector<ClauseReport*> broken;
    for (ClauseReport& report : report_.clauses)
      if (report.verdict == Verdict::fail && options_.diagnose) {
        broken.push_back(&report);
        all.push_back(&report.symptoms);
      }
    const std::vector<std::vector<const BuiltIn*>> names = diagnose(all);
    for (std::size_t i = 0; i < broken.size(); ++i) broken[i]->explained_by = names[i];
  }

  // Replies come in any order; which failure is kept must not hang on it: the shortest case, then
  // by id.
  void worsen(ClauseReport& report, const CaseVerdict& verdict, const Case& one,
              const Reply& reply) {
    const auto before = [](const Case& a, const Case& b) {
      return std::tuple(a.steps.size(), a.id.size(), std::string_view(a.id)) <
             std::tuple(b.steps.size(), b.id.size(), std::string_view(b.id));
    };
    const bool worse =
        report.verdict == Verdict::not_run || weight(verdict.verdict) > weight(report.verdict);
    const bool as_bad = verdict.verdict == report.verdict && report.failure &&
                        before(one, report.failure->original);
    if (!worse && !as_bad) return;
    report.verdict = verdict.verdict;
    report.reason = verdict.reason;
    report.failure.reset();
    if (carries_a_case(verdict.verdict))
      report.failure = Failure{one, one, reply, verdict.judgement.fault, verdict.reason, 0};
  }

  void finish() {
    for (std::size_t c = 0; c < report_.clauses.size(); ++c) {
      ClauseReport& report = report_.clauses[c];
      report_.patterns += report.patterns;
      report_.single += report.single;
      // A clause of which something was left out did not pass.
      if (report.verdict == Verdict::pass && unplayed_.contains(c) &&
          !options_.stop_at_first_failure) {
        report.verdict = Verdict::not_run;
        if (report.reason.empty())
          report.reason = "the time was up before all its cases were played";
      }
      if (report.verdict == Verdict::not_run && report.reason.empty())
        report.reason = "no case was played";
      if (report.failure && options_.shrink_seconds > 0) {
        play_again(report);
        if (report.verdict != Verdict::flaky)
          shrink(subject_, *report.clause, policy_, options_.shrink_seconds, *report.failure);
      }
      if (report.failure && !report.failure->reason.empty()) report.reason = report.failure->reason;
    }
  }

  // A fault that does not always come again is flaky, and how often it comes is said. One that
  // always comes, if in another guise (memory that was never written), is a fault.
  void play_again(ClauseReport& report) const {
    Failure& failure = *report.failure;
    if (report.verdict != Verdict::fail && report.verdict != Verdict::flaky) return;
    const std::set<std::string> random = random_observations(failure.original, policy_);
    // What is wrong of copies that are rounded by chance need not come again to be wrong.
    if (report.verdict == Verdict::fail &&
        (!random.empty() || is_same(subject_.play(failure.original), failure.reply, random)))
      return;
    const Repetition repetition = repeat(subject_, failure.original, random, [&](const Reply& r) {
      return verdict_of(failure.original, r, policy_, report.clause->decides).verdict ==
             Verdict::fail;
    });
    if (report.verdict == Verdict::fail) {
      if (repetition.failing == repetition.times) return;
      report.verdict = Verdict::flaky;
      failure.reason = "a fault that does not always come again";
    }
    failure.reason += "; " + repetition.to_string();
  }

  Subject& subject_;
  const EngineOptions& options_;
  reference::Policy policy_;
  std::vector<Planned> planned_;
  std::unordered_map<const Case*, std::size_t> index_of_;  // into planned_, which no longer grows
  std::vector<std::size_t> order_;                         // of play, indices into planned_
  std::map<std::size_t, Reply> replies_;                   // to cases that are played twice
  std::set<std::size_t> unplayed_;                         // clauses of which a case was left out
  bool failed_ = false;
  RunReport report_;
};

}  // namespace

RunReport run(Subject& subject, const std::vector<const Clause*>& clauses,
              const EngineOptions& options) {
  RunReport report = Run(subject, clauses, options).play();
  // Only large runs have a share to speak of, and only whole ones.
  const bool whole = !options.stop_at_first_failure && options.budget_seconds == 0;
  if (whole && clauses.size() == properties::clauses().size() && report.patterns > 1000 &&
      static_cast<double>(report.single) < kOrderExactQuota * static_cast<double>(report.patterns))
    throw InternalError("only " + std::to_string(report.single) + " of " +
                        std::to_string(report.patterns) +
                        " deciding patterns have one right value");
  return report;
}

ClauseReport run_case(Subject& subject, const Clause& clause, const Case& one) {
  ClauseReport report;
  report.clause = &clause;
  std::string why = inapplicable(one, subject.hello());
  if (!why.empty()) {
    report.verdict = Verdict::not_applicable;
    report.reason = std::move(why);
    return report;
  }
  Reply reply = subject.play(one);
  CaseVerdict verdict =
      verdict_of(one, reply, reference_policy(subject.hello().policy), clause.decides);
  report.cases = 1;
  report.failing = verdict.verdict == Verdict::fail ? 1 : 0;
  report.patterns = verdict.judgement.patterns;
  report.single = verdict.judgement.single;
  report.verdict = verdict.verdict;
  report.reason = verdict.reason;
  if (carries_a_case(verdict.verdict))
    report.failure =
        Failure{one, one, std::move(reply), verdict.judgement.fault, verdict.reason, 0};
  return report;
}

}  // namespace ampcheck::properties
