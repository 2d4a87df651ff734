// Plays the program's own wrong implementations, which must be caught, and its right ones, which
// must not be blamed.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/output.hpp"
#include "properties/built_in.hpp"
#include "properties/engine.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::ordered_json;
using properties::BuiltIn;
using properties::Clause;
using properties::ClauseReport;
using properties::Verdict;

// Clauses that blame a subject: those that fail, and those that could not be judged although it
// claims them.
std::vector<std::string> blame(const BuiltIn& one, const std::vector<const Clause*>& clauses,
                               std::uint64_t seed, std::int64_t cases, bool until_first) {
  subject::InProcess subject(one.hello(), one.make);
  properties::EngineOptions options;
  options.seed = seed;
  options.cases_per_clause = cases;
  options.shrink_seconds = 0;
  options.stop_at_first_failure = until_first;
  std::vector<std::string> blamed;
  for (const ClauseReport& report : properties::run(subject, clauses, options).clauses) {
    const bool kept = report.verdict == Verdict::pass || report.verdict == Verdict::not_applicable;
    // A mutant is killed by a verdict on what it did, not by what it failed to show.
    const bool counts =
        one.kind == BuiltIn::Kind::mutant ? report.verdict == Verdict::fail : !kept && !until_first;
    if (counts) blamed.emplace_back(report.clause->id);
  }
  return blamed;
}

}  // namespace

int selftest_command(const SelftestOptions& options) {
  const std::int64_t cases = cases_of_level(options.full ? "standard" : "smoke");
  const std::vector<const Clause*> all = select_clauses("*");
  Json mutants = Json::array(), controls = Json::array();
  std::vector<std::string> survivors, victims;
  for (const BuiltIn& one : properties::built_ins()) {
    if (one.kind == BuiltIn::Kind::mutant) {
      const std::vector<const Clause*> own = select_clauses(std::string(one.rule) + "/*");
      const std::vector<std::string> killed_by =
          blame(one, options.full ? all : own, options.seed, cases, !options.full);
      const bool by_its_rule = std::any_of(
          killed_by.begin(), killed_by.end(),
          [&](const std::string& id) { return id.starts_with(std::string(one.rule) + "/"); });
      if (!by_its_rule) survivors.push_back(one.full_name());
      mutants.push_back({{"name", one.name}, {"rule", one.rule}, {"killed_by", killed_by}});
    } else {
      const std::vector<std::string> blamed_by = blame(one, all, options.seed, cases, false);
      if (!blamed_by.empty()) victims.push_back(one.full_name());
      controls.push_back({{"name", one.name}, {"blamed_by", blamed_by}});
    }
  }
  // The textbook is a control, too.
  const BuiltIn textbook{BuiltIn::Kind::control,
                         "textbook",
                         "",
                         "",
                         "",
                         {},
                         &properties::internal::make_textbook<subject::Textbook>};
  const std::vector<std::string> blamed_by = blame(textbook, all, options.seed, cases, false);
  if (!blamed_by.empty()) victims.emplace_back("textbook");
  controls.push_back({{"name", "textbook"}, {"blamed_by", blamed_by}});

  const bool proved = survivors.empty() && victims.empty() && !mutants.empty();
  if (options.json) {
    print("{}\n", Json{{"mutants", mutants}, {"controls", controls}}.dump());
  } else {
    for (const Json& one : mutants)
      print("mutant:{:<32} {}\n", one["name"].get<std::string>(),
            one["killed_by"].empty()
                ? "NOT CAUGHT"
                : "caught by " +
                      fmt::format(
                          "{}", fmt::join(one["killed_by"].get<std::vector<std::string>>(), ", ")));
    for (const Json& one : controls)
      print("control:{:<31} {}\n", one["name"].get<std::string>(),
            one["blamed_by"].empty()
                ? "not blamed"
                : "BLAMED by " +
                      fmt::format(
                          "{}", fmt::join(one["blamed_by"].get<std::vector<std::string>>(), ", ")));
    print("\n{} mutants, {} not caught by their own rule; {} controls, {} blamed\n", mutants.size(),
          survivors.size(), controls.size(), victims.size());
  }
  return proved ? kConforms : kDoesNotConform;
}

}  // namespace ampcheck::conformance
