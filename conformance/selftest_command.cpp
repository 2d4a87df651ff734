// Plays the program's own wrong implementations, which must be caught, and its right ones, which
// must not be blamed.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/atomic_file.hpp"
#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/kill_matrix_json.hpp"
#include "conformance/output.hpp"
#include "conformance/progress.hpp"
#include "properties/kill_matrix.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::ordered_json;
using properties::BuiltIn;
using properties::Clause;

std::string joined(const std::map<std::string, std::int64_t>& clauses, std::int64_t seeds) {
  std::string text;
  for (const auto& [clause, count] : clauses)
    text += (text.empty() ? "" : ", ") + clause +
            (count == seeds ? "" : fmt::format(" ({} of {})", count, seeds));
  return text;
}

void print_list(const char* title, const std::vector<std::string>& names) {
  print("\n{} ({}):\n", title, names.size());
  for (const std::string& name : names) print("  {}\n", name);
}

// At smoke at least this share of the mutants is caught.
constexpr double kSmokeShare = 0.9;

int full_selftest(const SelftestOptions& options) {
  properties::KillMatrixOptions play;
  play.first_seed = options.seed;
  play.seeds = options.seeds;
  play.smoke_cases = cases_of_level("smoke");
  play.cases = cases_of_level("standard");
  play.control_cases = options.control_cases;
  play.jobs = std::max(1u, std::thread::hardware_concurrency());
  Progress progress;
  play.progress = [&](std::size_t done, std::size_t of) {
    progress.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(of));
  };
  const properties::KillMatrix matrix = properties::play_kill_matrix(play);
  progress.finish();
  const std::string json = kill_matrix_json(matrix, play);
  if (!options.matrix.empty()) write_file(options.matrix, json);
  if (options.json) {
    print("{}", json);
  } else {
    for (const auto& row : matrix.mutants)
      print("mutant:{:<32} smoke {}/{} {}\n", row.subject->name, row.at_smoke, matrix.seeds,
            row.by_its_rule == matrix.seeds
                ? joined(row.killed_by, matrix.seeds)
                : fmt::format("NOT CAUGHT by its rule with {} seeds; {}",
                              matrix.seeds - row.by_its_rule, joined(row.killed_by, matrix.seeds)));
    for (const auto& row : matrix.controls)
      print(
          "control:{:<31} {}, {} cases\n", row.name,
          row.blamed_by.empty() ? "not blamed" : "BLAMED by " + joined(row.blamed_by, matrix.seeds),
          row.cases);
    print_list("Clauses that are not the only one to catch any mutant",
               matrix.clauses_that_kill_nothing_alone());
    print_list("Mutants that one clause catches", matrix.mutants_that_one_clause_kills());
    print("\n{} mutants, {:.1f} % of them caught at smoke; {} controls; {} seeds from {}: {}\n",
          matrix.mutants.size(), 100 * matrix.share_at_smoke(), matrix.controls.size(),
          matrix.seeds, options.seed, matrix.is_proof() ? "proved" : "NOT PROVED");
  }
  return matrix.is_proof() && matrix.share_at_smoke() >= kSmokeShare ? kConforms : kDoesNotConform;
}

}  // namespace

int selftest_command(const SelftestOptions& options) {
  if (options.full) return full_selftest(options);
  const std::int64_t cases = cases_of_level("smoke");
  const std::vector<const Clause*> all = select_clauses("*");
  Json mutants = Json::array(), controls = Json::array();
  std::vector<std::string> survivors, victims;
  const auto play_control = [&](const BuiltIn& one) {
    const std::vector<std::string> blamed_by =
        properties::blame(one, all, options.seed, cases, false);
    if (!blamed_by.empty()) victims.emplace_back(one.name);
    controls.push_back({{"name", one.name}, {"blamed_by", blamed_by}});
  };
  for (const BuiltIn& one : properties::built_ins()) {
    if (one.kind == BuiltIn::Kind::control) {
      play_control(one);
      continue;
    }
    const std::vector<std::string> killed_by = properties::blame(
        one, select_clauses(std::string(one.rule) + "/*"), options.seed, cases, true);
    if (killed_by.empty()) survivors.push_back(one.full_name());
    mutants.push_back({{"name", one.name}, {"rule", one.rule}, {"killed_by", killed_by}});
  }
  play_control(properties::textbook_control());

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
