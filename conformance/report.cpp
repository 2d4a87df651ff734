#include "conformance/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "conformance/commands.hpp"
#include "conformance/describe.hpp"
#include "properties/applicability.hpp"
#include "properties/catalogue.hpp"

namespace ampcheck::conformance {
namespace {

using properties::ClauseReport;
using properties::Verdict;

bool is_judged(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::fail || verdict == Verdict::advice ||
         verdict == Verdict::flaky;
}

const char* colour_of(Verdict verdict, bool against) {
  if (verdict == Verdict::pass) return "\033[32m";
  return against ? "\033[31m" : "\033[33m";
}

// What a subject says of itself, fit for a terminal.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

// The rest stands in the report below the table.
std::string in_short(const std::string& reason) {
  constexpr std::size_t kMost = 100;
  const std::string line = printable(reason.substr(0, reason.find('\n')));
  return line.size() <= kMost ? line : line.substr(0, kMost) + " …";
}

// Whether a clause was judged by fewer cases than the level asks for, and why.
std::string left_out(const ClauseReport& clause, const RunFrame& frame) {
  if (clause.cases >= cases_of_level(frame.level)) return "";
  return fmt::format(" ({} that were drawn not played: {})", clause.left_out, clause.why_left_out);
}

// Quotes a word for a shell.
std::string quoted(const std::string& word) {
  if (word.find_first_of(" '\"$`\\;&|<>()*?") == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// What this program was called by: `./dev` says so, so that its users can paste what they read.
std::string program() {
  const char* called = std::getenv("AMPCHECK_CALLED");
  return called == nullptr ? "ampcheck" : called;
}

}  // namespace

Counts count(const properties::RunReport& report) {
  Counts counts;
  for (const ClauseReport& clause : report.clauses) {
    ++counts.selected;
    if (clause.verdict != Verdict::not_applicable) ++counts.applicable;
    if (is_judged(clause.verdict)) ++counts.judged;
    if (clause.verdict == Verdict::pass) ++counts.conforming;
  }
  counts.failing = counts.applicable - counts.conforming;
  return counts;
}

bool counts_against(const ClauseReport& report, const RunFrame& frame) {
  const bool required = (frame.strict || !properties::is_should(report.clause->id)) &&
                        properties::is_required(report.clause->id, frame.hello.profiles);
  switch (report.verdict) {
    case Verdict::fail:
    case Verdict::flaky:
    case Verdict::crashed:
    case Verdict::timed_out:
    case Verdict::errored:
      return true;
    case Verdict::not_judged:
    case Verdict::unsupported:
    case Verdict::not_run:
      return required;
    case Verdict::not_applicable:
      // Nothing but a limit excuses a clause that a claimed profile requires.
      return required && !report.reason.starts_with("limits.") &&
             report.reason != "operations without own_product" &&
             report.reason != "operations without class_weights" &&
             report.reason != "operations without shift" &&
             report.reason != properties::kEverythingDropped;
    case Verdict::advice:
      return frame.strict;
    case Verdict::pass:
      return false;
  }
  return true;
}

std::string table(const RunFrame& frame, const properties::RunReport& report, bool colour) {
  std::string text = fmt::format(
      "{} {} ({}): level {}, seed {}, profiles {}\n\n", printable(frame.hello.name),
      printable(frame.hello.version), frame.subject, frame.level, frame.seed,
      frame.hello.profiles.empty() ? "none"
                                   : fmt::format("{}", fmt::join(frame.hello.profiles, ", ")));
  for (const ClauseReport& clause : report.clauses) {
    const bool against = counts_against(clause, frame);
    std::string note;
    if (clause.verdict == Verdict::fail || clause.verdict == Verdict::advice)
      note = fmt::format("{} of {} cases: {}", clause.failing, clause.cases, clause.reason);
    else if (clause.verdict == Verdict::pass)
      note = fmt::format("{} cases", clause.cases) + left_out(clause, frame);
    else
      note = in_short(clause.reason);
    const std::string name(properties::name_of(clause.verdict));
    text +=
        fmt::format("  {}{:<14}{} {:<44} {}\n", colour ? colour_of(clause.verdict, against) : "",
                    name, colour ? "\033[0m" : "", clause.clause->id, note);
  }
  const Counts counts = count(report);
  text += fmt::format(
      "\n{} of {} applicable clauses judged ({} selected), {} kept; {} cases, {} patterns, "
      "{:.1f} s\n",
      counts.judged, counts.applicable, counts.selected, counts.conforming, report.cases,
      report.patterns, report.seconds);
  if (!report.unexplained.empty())
    text += fmt::format("the subject fell {} times where no case could be blamed, at last: {}\n",
                        report.unexplained.size(), printable(report.unexplained.back()));
  return text;
}

std::string failure_report(const RunFrame& frame, const ClauseReport& report,
                           const std::filesystem::path& case_file) {
  const properties::Failure& failure = *report.failure;
  const properties::CatalogueEntry* entry = properties::find_entry(report.clause->id);
  std::string text =
      fmt::format("\n{}: {}\n", report.clause->id, properties::name_of(report.verdict));
  if (entry != nullptr)
    text += fmt::format("  {}: {}\n", entry->level == properties::Level::must ? "MUST" : "SHOULD",
                        entry->sentence);
  text += "\n";
  const std::size_t marked = failure.fault ? failure.fault->step : static_cast<std::size_t>(-1);
  for (const std::string& line : case_table(failure.shrunk, failure.reply.answers, marked))
    text += "  " + line + "\n";
  text += "\n";
  if (failure.fault) {
    const properties::Fault& fault = *failure.fault;
    text += fmt::format(
        "  {}: step {}{}{}{}\n", fault.kind, fault.step,
        fault.observation.empty() ? "" : ", " + fault.observation,
        fault.observation.find('/') == std::string::npos ? "" : fmt::format("[{}]", fault.element),
        failure.shrunk.ranks > 1 ? fmt::format(", rank {}", fault.rank) : "");
    text += fmt::format("    admissible  {}\n    actual      {}\n", fault.expected,
                        printable(fault.actual));
    if (!fault.detail.empty()) text += fmt::format("    distance    {}\n", fault.detail);
  } else {
    text += fmt::format("  {}\n", printable(failure.reason));
  }
  if (!failure.reply.stderr_tail.empty() && report.verdict != Verdict::fail) {
    text += "  last lines of its stderr:\n";
    std::string_view tail = failure.reply.stderr_tail;
    tail = tail.substr(tail.size() > 2000 ? tail.size() - 2000 : 0);
    std::size_t start = 0;
    while (start < tail.size()) {
      const std::size_t end = std::min(tail.find('\n', start), tail.size());
      text += "    | " + printable(std::string(tail.substr(start, end - start))) + "\n";
      start = end + 1;
    }
  }
  for (const properties::BuiltIn* mistake : report.explained_by)
    text += fmt::format("  {} what one gets that {} ({})\n",
                        mistake == report.explained_by.front() ? "this is" : "or    ",
                        mistake->description, mistake->full_name());
  if (failure.tries > 0)
    text += fmt::format("  shrunk from {} steps to {} in {} tries\n", failure.original.steps.size(),
                        failure.shrunk.steps.size(), failure.tries);
  if (!case_file.empty())
    text += fmt::format("  again: {} replay {} {}\n", program(), quoted(case_file.string()),
                        quoted(frame.subject));
  return text;
}

}  // namespace ampcheck::conformance
