// The catalogue of clauses: level, sentence and source of each, from catalogue.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampcheck::properties {

enum class Level { must, should };

struct CatalogueEntry {
  std::string clause;
  Level level = Level::must;
  bool implemented = false;
  std::string sentence;
  std::vector<std::string> source;  // keys of catalogue.json's "sources", spelled out
};

// All 83, in the order of the file. Throws std::logic_error where the file is broken.
const std::vector<CatalogueEntry>& catalogue();
const CatalogueEntry* find_entry(std::string_view clause);
// Whether what breaks it is given advice.
bool is_should(std::string_view clause);

}  // namespace ampcheck::properties
