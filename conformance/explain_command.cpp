#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "conformance/commands.hpp"
#include "conformance/describe.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/failure_store.hpp"
#include "conformance/output.hpp"
#include "properties/built_in.hpp"
#include "properties/catalogue.hpp"
#include "properties/embedded.hpp"
#include "subject/case_json.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::ordered_json;

int explain_clause(const properties::CatalogueEntry& entry, bool json) {
  const properties::Clause* clause = properties::find_clause(entry.clause);
  if (json) {
    Json document = {{"clause", entry.clause},
                     {"level", entry.level == properties::Level::must ? "must" : "should"},
                     {"implemented", clause != nullptr},
                     {"sentence", entry.sentence},
                     {"source", entry.source}};
    if (clause != nullptr)
      document["example"] =
          Json::parse(subject::dump_case(properties::generate_case(*clause, 1, 0)));
    print("{}\n", document.dump());
    return kConforms;
  }
  print("{} ({})\n  {}\n", entry.clause, entry.level == properties::Level::must ? "MUST" : "SHOULD",
        entry.sentence);
  for (const std::string& source : entry.source) print("  source: {}\n", source);
  if (clause == nullptr) {
    print("  no cases yet\n");
    return kConforms;
  }
  const subject::Case example = properties::generate_case(*clause, 1, 0);
  print("\n  an example, {}:\n", example.id);
  for (const std::string& line : case_table(example, {}, example.steps.size()))
    print("  {}\n", line);
  return kConforms;
}

int explain_built_in(const properties::BuiltIn& one, bool json) {
  const std::string_view source = properties::embedded_text(one.file);
  if (json) {
    print("{}\n", Json{{"subject", one.full_name()},
                       {"rule", one.rule},
                       {"description", one.description},
                       {"source", source}}
                      .dump());
    return kConforms;
  }
  print("{}\n  {}{}\n\n{}", one.full_name(), one.description,
        one.rule.empty() ? "" : fmt::format(" (rule {})", one.rule), source);
  return kConforms;
}

int explain_case(const subject::Case& shown, bool json) {
  if (json) {
    print("{}\n", subject::dump_case(shown));
    return kConforms;
  }
  print("{}\n", shown.id);
  for (const std::string& line : case_table(shown, {}, shown.steps.size())) print("{}\n", line);
  return kConforms;
}

// "rule/slug#seed.index".
std::optional<subject::Case> generated_case(const std::string& id) {
  const std::size_t hash = id.find('#'), dot = id.find('.', hash == std::string::npos ? 0 : hash);
  if (hash == std::string::npos || dot == std::string::npos) return {};
  const properties::Clause* clause = properties::find_clause(id.substr(0, hash));
  const auto number = [](const std::string& text) -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return value;
  };
  const auto seed = number(id.substr(hash + 1, dot - hash - 1)), index = number(id.substr(dot + 1));
  if (clause == nullptr || !seed || !index) return {};
  return properties::generate_case(*clause, *seed, *index);
}

}  // namespace

int explain_command(const ExplainOptions& options) {
  if (const auto* entry = properties::find_entry(options.what))
    return explain_clause(*entry, options.json);
  if (const auto* one = properties::find_built_in(options.what))
    return explain_built_in(*one, options.json);
  if (const auto generated = generated_case(options.what))
    return explain_case(*generated, options.json);
  if (options.what.ends_with(".json")) return explain_case(load_case(options.what), options.json);
  throw Exit(
      kUsage,
      "explain " + options.what +
          ": no clause, case (rule/slug#seed.index), mutant:NAME, control:NAME or .json file");
}

}  // namespace ampcheck::conformance
