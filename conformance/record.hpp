// The record of a run: one line a fact, a header first and a footer last. Every other report is
// made of the same data.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "conformance/report.hpp"

namespace ampcheck::conformance {

nlohmann::ordered_json header_json(const RunFrame&);
nlohmann::ordered_json clause_json(const properties::ClauseReport&, const RunFrame&);
nlohmann::ordered_json footer_json(const RunFrame&, const properties::RunReport&, int exit_code);

// FOLDER/record.jsonl, whole or not at all.
void write_record(const std::filesystem::path& folder, const RunFrame&,
                  const properties::RunReport&, int exit_code);

// {"header":…,"clauses":[…],"footer":…}, for --json.
std::string run_json(const RunFrame&, const properties::RunReport&, int exit_code);

}  // namespace ampcheck::conformance
