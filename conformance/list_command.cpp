#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/output.hpp"
#include "properties/built_in.hpp"
#include "properties/catalogue.hpp"
#include "subject/adapters.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::ordered_json;

int list_subjects(bool json) {
  Json all = Json::array();
  const auto add = [&](std::string name, std::string_view what) {
    all.push_back({{"subject", std::move(name)}, {"description", what}});
  };
  add("textbook", "the five rules in plain floating point; correct");
  add("process:COMMAND", "a program that speaks subject/PROTOCOL.md");
  add("device:gpu", "CUDA kernels on a GPU; needs a build with a CUDA toolkit, and a GPU");
  for (const subject::Adapter& adapter : subject::adapters())
    add(std::string(adapter.name), adapter.library);
  for (const properties::BuiltIn& one : properties::built_ins())
    add(one.full_name(), one.description);
  if (json) {
    print("{}\n", all.dump());
    return kConforms;
  }
  for (const Json& one : all)
    print("{:<38} {}\n", one["subject"].get<std::string>(), one["description"].get<std::string>());
  return kConforms;
}

}  // namespace

int list_command(const ListOptions& options) {
  if (options.subjects) return list_subjects(options.json);
  Json all = Json::array();
  for (const properties::CatalogueEntry& entry : properties::catalogue()) {
    if (!is_selected(entry.clause, options.clauses)) continue;
    all.push_back({{"clause", entry.clause},
                   {"level", entry.level == properties::Level::must ? "must" : "should"},
                   {"implemented", entry.implemented},
                   {"sentence", entry.sentence}});
  }
  if (all.empty())
    throw Exit(kUsage, "--clauses " + options.clauses + ": no clause has such an id");
  if (options.json) {
    print("{}\n", all.dump());
    return kConforms;
  }
  int implemented = 0;
  for (const Json& one : all) {
    const bool has_cases = one["implemented"].get<bool>();
    implemented += has_cases ? 1 : 0;
    print("{} {:<6} {}\n", has_cases ? " " : "-", one["level"].get<std::string>(),
          one["clause"].get<std::string>());
  }
  print("\n{} clauses, {} of them with cases (-: in the catalogue, and no cases yet)\n", all.size(),
        implemented);
  return kConforms;
}

}  // namespace ampcheck::conformance
