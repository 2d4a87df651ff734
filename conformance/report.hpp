// A run in words: the terminal table and the reports of failures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "properties/verdict.hpp"
#include "subject/hello.hpp"

namespace ampcheck::conformance {

// The frame of a run: what its record's header says.
struct RunFrame {
  std::string subject;  // as given on the command line
  subject::Hello hello;
  std::uint64_t seed = 1;
  std::string level;
  std::string clauses;  // the glob
  bool strict = false;
};

struct Counts {
  std::int64_t selected = 0, applicable = 0, judged = 0, conforming = 0, failing = 0;
};
Counts count(const properties::RunReport&);

// Whether the verdict of a clause makes the run fail: fail, flaky, crashed, timed-out and errored
// always; not-judged, unsupported and not-run in a claimed profile; advice under --strict.
bool counts_against(const properties::ClauseReport&, const RunFrame&);

// One line a clause and the totals.
std::string table(const RunFrame&, const properties::RunReport&, bool colour);

// Everything about one failing clause: sentence, case, element, admissible and actual value, and
// what to paste to see it again.
std::string failure_report(const RunFrame&, const properties::ClauseReport&,
                           const std::filesystem::path& case_file);

}  // namespace ampcheck::conformance
