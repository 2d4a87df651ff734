#include "properties/catalogue.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "properties/embedded.hpp"

namespace ampcheck::properties {
namespace {

std::vector<CatalogueEntry> read() {
  const nlohmann::json document = nlohmann::json::parse(embedded_text("catalogue.json"));
  std::vector<CatalogueEntry> entries;
  for (const nlohmann::json& clause : document.at("clauses")) {
    CatalogueEntry entry;
    entry.clause = clause.at("clause").get<std::string>();
    entry.level = clause.at("level") == "must" ? Level::must : Level::should;
    entry.implemented = clause.at("implemented").get<bool>();
    entry.sentence = clause.at("sentence").get<std::string>();
    for (const nlohmann::json& key : clause.at("source"))
      entry.source.push_back(document.at("sources").at(key.get<std::string>()).get<std::string>());
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries = read();
  return entries;
}

const CatalogueEntry* find_entry(std::string_view clause) {
  for (const CatalogueEntry& entry : catalogue())
    if (entry.clause == clause) return &entry;
  return nullptr;
}

bool is_should(std::string_view clause) {
  const CatalogueEntry* entry = find_entry(clause);
  return entry != nullptr && entry->level == Level::should;
}

}  // namespace ampcheck::properties
