// The commands of the program. Each returns the program's exit code, and throws Exit for what ends
// it early.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "properties/clause.hpp"

namespace ampcheck::conformance {

struct RunOptions {
  std::string subject;
  std::string clauses = "*";  // globs over ids, separated by commas
  std::string level = "standard";
  std::uint64_t seed = 1;
  bool strict = false;
  double budget_seconds = 0;  // 0: no limit
  double shrink_seconds = 5;  // for each failing clause
  std::string python;
  std::filesystem::path report;  // folder for record.jsonl; empty: none
  std::filesystem::path failures = "failures";
  std::filesystem::path messages;  // file for every message of a process; empty: none
  std::filesystem::path policy;    // file with a policy to go by; empty: the subject's own
  bool json = false;
};
int run_command(const RunOptions&);

struct IdentifyOptions {
  std::string subject;
  std::string python;
  std::filesystem::path output;    // file for the axes that are known, as a policy; empty: none
  std::filesystem::path messages;  // as for run
  bool json = false;
};
int identify_command(const IdentifyOptions&);

struct ListOptions {
  std::string clauses = "*";
  bool subjects = false;
  bool coverage = false;           // what the cases round, as the textbook answers them
  std::string level = "standard";  // with `coverage`, as is `seed`
  std::uint64_t seed = 1;
  bool json = false;
};
int list_command(const ListOptions&);
// list_command where `coverage` is set.
int coverage_command(const ListOptions&);

struct ExplainOptions {
  std::string
      what;  // a clause, a case id "rule/slug#seed.index", mutant:NAME, control:NAME, a case's file
  bool json = false;
};
int explain_command(const ExplainOptions&);

struct ReplayOptions {
  std::filesystem::path file;
  std::string subject;
  std::string python;
  bool json = false;
};
int replay_command(const ReplayOptions&);

struct SelftestOptions {
  bool full = false;                       // the kill matrix, with several seeds
  std::int64_t seeds = 20;                 // with `full`, from `seed` on
  std::int64_t control_cases = 1'000'000;  // with `full`: of each control, over all seeds
  std::filesystem::path matrix;            // with `full`: the data file to write; empty: none
  bool oracle = false;     // the reference's oracles instead of mutants and controls
  std::int64_t every = 1;  // with `oracle`: every Nth input
  std::uint64_t seed = 1;
  bool json = false;
};
int selftest_command(const SelftestOptions&);
// selftest_command where `oracle` is set.
int oracle_selftest_command(const SelftestOptions&);

struct GoldenOptions {
  bool write = false;
  std::filesystem::path folder;  // empty: the repository's own
};
int golden_command(const GoldenOptions&);

struct ServeOptions {
  std::string subject;  // textbook, mutant:NAME or control:NAME
};
// Speaks subject/PROTOCOL.md on standard input and output: the subject as a process.
int serve_command(const ServeOptions&);

// True where an id matches one of several globs, separated by commas.
bool is_selected(std::string_view clause, const std::string& globs);
// The clauses that are selected. Throws Exit(kUsage) where one of the globs selects none.
std::vector<const properties::Clause*> select_clauses(const std::string& globs);
// Throws Exit(kUsage).
std::uint64_t parse_seed(const std::string& text);
// No time that is given may be longer: in nanoseconds it has to fit into 63 bits.
inline constexpr double kMostSeconds = 1e9;
// Cases a clause of a level: smoke, standard, deep. Throws Exit(kUsage).
std::int64_t cases_of_level(const std::string& level);
// Seconds of "60s", "5m", "1h", "500ms". Throws Exit(kUsage).
double parse_budget(const std::string& text);
// A number of seconds, 0 included. Throws Exit(kUsage).
double parse_shrink(const std::string& text);

}  // namespace ampcheck::conformance
