// What is said of a clause after its cases were played.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/clause.hpp"
#include "properties/coverage/coverage.hpp"
#include "properties/diagnosis.hpp"
#include "properties/judge.hpp"

namespace ampcheck::properties {

enum class Verdict {
  pass,            // every case was judged and kept the clause
  fail,            // a case breaks it
  not_applicable,  // the subject offers no operation, format or scale for any of its cases
  not_judged,      // a deciding observation was not shown
  unsupported,     // an operation that was offered was then refused
  advice,          // a SHOULD is broken
  flaky,           // the same case got two different answers
  crashed,         // the subject ended, or flooded
  timed_out,       //
  errored,  // the subject failed by its own word, or answered what the protocol does not know
  not_run,  // no case was played: the time was up, or the subject was gone
};
std::string_view name_of(Verdict);

struct Failure {
  subject::Case original, shrunk;
  subject::Reply reply;        // to the shrunk case
  std::optional<Fault> fault;  // of the shrunk case; none where the subject fell
  std::string reason;          // where there is no fault: what happened
  std::int64_t tries = 0;      // cases played to shrink it
};

// The reason of a clause that is not applicable since nothing of its cases is left to judge.
inline constexpr std::string_view kEverythingDropped = "its policy drops every micro-batch";

struct ClauseReport {
  const Clause* clause = nullptr;
  Verdict verdict = Verdict::not_run;
  std::int64_t cases = 0;     // that were played, duplicates not counted
  std::int64_t failing = 0;   // cases that broke the clause
  std::int64_t patterns = 0;  // deciding patterns compared
  std::int64_t single = 0;    // those with one right pattern
  std::string reason;         // for every verdict but pass and fail
  std::int64_t left_out = 0;  // drawn cases that the subject's formats and limits exclude
  std::string why_left_out;   // the last of them
  Coverage coverage;  // of its cases, where it was asked for
  std::optional<Failure> failure;
  Symptoms symptoms;
  std::vector<const BuiltIn*> explained_by;  // mistakes that give the same values
};

struct RunReport {
  std::vector<ClauseReport> clauses;
  std::int64_t cases = 0;
  std::int64_t duplicates = 0;  // cases that were played a second time
  double seconds = 0;
  std::vector<std::string> unexplained;  // the subject fell, and no case could be blamed
  std::int64_t patterns = 0, single = 0;
};

// Of all clauses together.
Coverage coverage_of(const RunReport&);

}  // namespace ampcheck::properties
