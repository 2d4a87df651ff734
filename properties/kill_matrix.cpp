#include "properties/kill_matrix.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "properties/catalogue.hpp"
#include "properties/engine.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

// Calls work(0), …, work(size - 1) from several threads.
void for_each(std::size_t size, unsigned jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto loop = [&] {
    for (std::size_t i; (i = next++) < size;) work(i);
  };
  std::vector<std::jthread> threads;
  for (unsigned job = 1; job < jobs; ++job) threads.emplace_back(loop);
  loop();
}

// Cases of a clause, and what the textbook answers to them, which passes.
struct Played {
  const Clause* clause;
  std::vector<subject::Case> cases;
  std::vector<subject::Reply> textbook;
};

subject::InProcess subject_of(const BuiltIn& one) { return {one.hello(), one.make}; }

std::vector<Played> played_by_textbook(std::uint64_t seed, std::int64_t cases) {
  subject::InProcess textbook = subject_of(textbook_control());
  std::vector<Played> all;
  for (const Clause& clause : clauses()) {
    Played& played = all.emplace_back(Played{&clause, {}, {}});
    for (std::uint64_t i = 0; std::ssize(played.cases) < cases; ++i) {
      const subject::Case one = generate_case(clause, seed, i);
      if ((clause.decides & kOdds) != 0) {  // the textbook rounds nothing by chance
        played.cases.push_back(one);
        played.textbook.emplace_back();
        continue;
      }
      const ClauseReport report = run_case(textbook, clause, one);
      if (report.verdict == Verdict::not_applicable) continue;  // a form that it does not offer
      if (report.verdict != Verdict::pass)
        throw InternalError(one.id + ": the textbook: " + report.reason);
      played.cases.push_back(one);
      played.textbook.push_back(textbook.play(one));
    }
  }
  return all;
}

// The first case of a clause that a mutant fails; none: its number of cases. What is answered as
// the textbook answers it passes as that does, where the policy is the textbook's.
std::size_t first_failing(const BuiltIn& mutant, const Played& played) {
  subject::InProcess subject = subject_of(mutant);
  for (std::size_t i = 0; i < played.cases.size(); ++i) {
    if (mutant.changes.empty()) {
      const subject::Reply reply = subject.play(played.cases[i]);
      if (reply.kind == subject::Reply::Kind::answered &&
          reply.answers == played.textbook[i].answers)
        continue;
    }
    if (run_case(subject, *played.clause, played.cases[i]).verdict == Verdict::fail) return i;
  }
  return played.cases.size();
}

void play(const KillMatrixOptions& options, const std::vector<Played>& all,
          KillMatrix::Mutant& row) {
  bool at_smoke = false, by_its_rule = false;
  for (const Played& played : all) {
    const std::size_t failing = first_failing(*row.subject, played);
    if (failing == played.cases.size()) continue;
    ++row.killed_by[std::string(played.clause->id)];
    if (!played.clause->id.starts_with(std::string(row.subject->rule) + "/")) continue;
    by_its_rule = true;
    at_smoke = at_smoke || failing < static_cast<std::size_t>(options.smoke_cases);
  }
  row.at_smoke += at_smoke ? 1 : 0;
  row.by_its_rule += by_its_rule ? 1 : 0;
}

void play(const KillMatrixOptions& options, const BuiltIn& control, KillMatrix::Control& row) {
  std::vector<const Clause*> all;
  for (const Clause& clause : clauses()) all.push_back(&clause);
  const auto runs = options.seeds * std::ssize(all);
  const std::int64_t cases = (options.control_cases + runs - 1) / runs;
  for (std::int64_t i = 0; i < options.seeds; ++i)
    for (const std::string& clause :
         blame(control, all, options.first_seed + static_cast<std::uint64_t>(i), cases, false,
               &row.cases))
      ++row.blamed_by[clause];
}

}  // namespace

std::vector<std::string> blame(const BuiltIn& one, const std::vector<const Clause*>& clauses,
                               std::uint64_t seed, std::int64_t cases, bool until_first,
                               std::int64_t* cases_played) {
  subject::InProcess subject(one.hello(), one.make);
  EngineOptions options;
  options.seed = seed;
  options.cases_per_clause = cases;
  options.shrink_seconds = 0;
  options.stop_at_first_failure = until_first;
  const RunReport report = run(subject, clauses, options);
  if (cases_played != nullptr) *cases_played += report.cases;
  std::vector<std::string> blamed;
  for (const ClauseReport& clause : report.clauses) {
    // A right implementation may get advice.
    const bool kept = clause.verdict == Verdict::pass ||
                      clause.verdict == Verdict::not_applicable ||
                      (clause.verdict == Verdict::fail && is_should(clause.clause->id));
    const bool counts =
        one.kind == BuiltIn::Kind::mutant ? clause.verdict == Verdict::fail : !kept && !until_first;
    if (counts) blamed.emplace_back(clause.clause->id);
  }
  return blamed;
}

KillMatrix play_kill_matrix(const KillMatrixOptions& options) {
  KillMatrix matrix;
  matrix.seeds = options.seeds;
  std::vector<BuiltIn> controls;
  for (const BuiltIn& one : built_ins())
    if (one.kind == BuiltIn::Kind::mutant)
      matrix.mutants.push_back({&one, {}, 0, 0});
    else
      controls.push_back(one);
  controls.push_back(textbook_control());
  for (const BuiltIn& one : controls) matrix.controls.push_back({std::string(one.name), 0, {}});

  const std::size_t rows =
      controls.size() + matrix.mutants.size() * static_cast<std::size_t>(options.seeds);
  std::size_t done = 0;
  std::mutex progress;
  const auto one_more = [&] {
    const std::lock_guard lock(progress);
    if (options.progress) options.progress(++done, rows);
  };
  for_each(controls.size(), options.jobs, [&](std::size_t i) {
    play(options, controls[i], matrix.controls[i]);
    one_more();
  });
  for (std::int64_t i = 0; i < options.seeds; ++i) {
    const std::vector<Played> all =
        played_by_textbook(options.first_seed + static_cast<std::uint64_t>(i), options.cases);
    for_each(matrix.mutants.size(), options.jobs, [&](std::size_t m) {
      play(options, all, matrix.mutants[m]);
      one_more();
    });
  }
  return matrix;
}

bool KillMatrix::is_proof() const {
  return !mutants.empty() && !controls.empty() &&
         std::ranges::all_of(mutants, [&](const Mutant& m) { return m.by_its_rule == seeds; }) &&
         std::ranges::all_of(controls, [](const Control& c) { return c.blamed_by.empty(); });
}

double KillMatrix::share_at_smoke() const {
  double caught = 0;
  for (const Mutant& mutant : mutants) caught += static_cast<double>(mutant.at_smoke);
  return caught / static_cast<double>(seeds * std::ssize(mutants));
}

std::vector<std::string> KillMatrix::clauses_that_kill_nothing_alone() const {
  std::vector<std::string> found;
  for (const Clause& clause : clauses())
    if (std::ranges::none_of(mutants, [&](const Mutant& m) {
          return m.killed_by.size() == 1 && m.killed_by.begin()->first == clause.id;
        }))
      found.emplace_back(clause.id);
  return found;
}

std::vector<std::string> KillMatrix::mutants_that_one_clause_kills() const {
  std::vector<std::string> found;
  for (const Mutant& mutant : mutants)
    if (mutant.killed_by.size() == 1) found.emplace_back(mutant.subject->name);
  return found;
}

}  // namespace ampcheck::properties
