// The commands of the program. Each returns the program's exit code, and throws Exit for what ends
// it early.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "properties/clause.hpp"

namespace ampcheck::conformance {

struct RunOptions {
  std::string subject;
  std::string clauses = "*";  // a glob over ids
  std::string level = "standard";
  std::uint64_t seed = 1;
  bool strict = false;
  std::string budget;         // "60s", "5m", "500ms"; empty: none
  double shrink_seconds = 5;  // for each failing clause
  std::string python;
  std::filesystem::path report;  // folder for record.jsonl; empty: none
  std::filesystem::path failures = "failures";
  std::filesystem::path messages;  // file for every message of a process; empty: none
  bool json = false;
};
int run_command(const RunOptions&);

struct ListOptions {
  std::string clauses = "*";
  bool subjects = false;
  bool json = false;
};
int list_command(const ListOptions&);

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
  bool full = false;
  std::uint64_t seed = 1;
  bool json = false;
};
int selftest_command(const SelftestOptions&);

struct GoldenOptions {
  bool write = false;
  std::filesystem::path folder = "golden/vectors";
};
int golden_command(const GoldenOptions&);

struct ServeOptions {
  std::string subject;  // textbook, mutant:NAME or control:NAME
};
// Speaks subject/PROTOCOL.md on standard input and output: the subject as a process.
int serve_command(const ServeOptions&);

// Clauses whose ids match a glob; throws Exit(kUsage) where none does.
std::vector<const properties::Clause*> select_clauses(const std::string& glob);
// Cases a clause of a level: smoke, standard, deep. Throws Exit(kUsage).
std::int64_t cases_of_level(const std::string& level);
// Seconds of "60s", "5m", "1h", "500ms". Throws Exit(kUsage).
double parse_seconds(const std::string& text);

}  // namespace ampcheck::conformance
