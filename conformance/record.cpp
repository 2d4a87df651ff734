#include "conformance/record.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/atomic_file.hpp"
#include "conformance/coverage_table.hpp"
#include "conformance/fault_json.hpp"
#include "properties/catalogue.hpp"
#include "properties/draw.hpp"
#include "subject/case_json.hpp"
#include "subject/hello_json.hpp"

namespace ampcheck::conformance {

using Json = nlohmann::ordered_json;

namespace {

// Bytes that a subject wrote need not be UTF-8.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json header_json(const RunFrame& frame) {
  utsname machine{};
  uname(&machine);
  Json header;
  header["record"] = 1;
  header["ampcheck"] = AMPCHECK_VERSION;
  header["generators"] = properties::kGeneratorVersion;
  header["compiler"] = __VERSION__;
  header["subject"] = frame.subject;
  header["hello"] = Json::parse(subject::dump_hello(frame.hello));
  header["seed"] = frame.seed;
  header["level"] = frame.level;
  header["clauses"] = frame.clauses;
  header["strict"] = frame.strict;
  header["machine"] = {{"system", machine.sysname},
                       {"release", machine.release},
                       {"processor", machine.machine},
                       {"cores", std::thread::hardware_concurrency()}};
  header["time"] = fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  return header;
}

Json clause_json(const properties::ClauseReport& report, const RunFrame& frame) {
  Json json;
  json["clause"] = report.clause->id;
  json["verdict"] = properties::name_of(report.verdict);
  const properties::CatalogueEntry* entry = properties::find_entry(report.clause->id);
  json["level"] = entry == nullptr || entry->level == properties::Level::must ? "must" : "should";
  json["counts_against"] = counts_against(report, frame);
  json["cases"] = report.cases;
  json["failing"] = report.failing;
  json["left_out"] = report.left_out;
  json["patterns"] = report.patterns;
  json["single"] = report.single;
  if (!report.reason.empty()) json["reason"] = report.reason;
  if (report.failure) {
    const properties::Failure& failure = *report.failure;
    Json& shown = json["failure"];
    if (failure.fault) add_fault(shown, *failure.fault);
    if (!report.explained_by.empty()) {
      Json& names = shown["explained_by"] = Json::array();
      for (const properties::BuiltIn* mistake : report.explained_by)
        names.push_back(mistake->full_name());
    }
    shown["found_by"] = failure.original.id;
    shown["tries"] = failure.tries;
    if (!failure.reply.stderr_tail.empty()) shown["stderr"] = failure.reply.stderr_tail;
    shown["case"] = Json::parse(subject::dump_case(failure.shrunk));
  }
  return json;
}

Json footer_json(const RunFrame& frame, const properties::RunReport& report, int exit_code) {
  const Counts counts = count(report);
  Json verdicts = Json::object();
  std::int64_t against = 0;
  for (const properties::ClauseReport& clause : report.clauses) {
    Json& number = verdicts[std::string(properties::name_of(clause.verdict))];
    number = number.is_null() ? 1 : number.get<int>() + 1;
    against += counts_against(clause, frame) ? 1 : 0;
  }
  Json footer;
  footer["end"] = true;
  footer["selected"] = counts.selected;
  footer["applicable"] = counts.applicable;
  footer["judged"] = counts.judged;
  footer["verdicts"] = std::move(verdicts);
  footer["against"] = against;
  footer["cases"] = report.cases;
  footer["played_twice"] = report.duplicates;
  footer["patterns"] = report.patterns;
  footer["single"] = report.single;
  footer["coverage"] = coverage_json(properties::coverage_of(report));
  footer["unexplained_falls"] = report.unexplained.size();
  footer["seconds"] = report.seconds;
  footer["exit"] = exit_code;
  return footer;
}

void write_record(const std::filesystem::path& folder, const RunFrame& frame,
                  const properties::RunReport& report, int exit_code) {
  std::string text = text_of(header_json(frame)) + "\n";
  for (const properties::ClauseReport& clause : report.clauses)
    text += text_of(clause_json(clause, frame)) + "\n";
  text += text_of(footer_json(frame, report, exit_code)) + "\n";
  write_file(folder / "record.jsonl", text);
}

std::string run_json(const RunFrame& frame, const properties::RunReport& report, int exit_code) {
  Json document;
  document["header"] = header_json(frame);
  document["clauses"] = Json::array();
  for (const properties::ClauseReport& clause : report.clauses)
    document["clauses"].push_back(clause_json(clause, frame));
  document["footer"] = footer_json(frame, report, exit_code);
  return text_of(document) + "\n";
}

}  // namespace ampcheck::conformance
