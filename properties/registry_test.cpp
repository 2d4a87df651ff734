// Files that register themselves can vanish without a word: in linking, or in a build's glob.
// Everything that lies in its folder must be there.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "properties/built_in.hpp"
#include "properties/catalogue.hpp"
#include "properties/clause.hpp"
#include "properties/embedded.hpp"

namespace ampcheck::properties {
namespace {

std::size_t files_in(const char* folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(AMPCHECK_ROOT) / "properties" / folder))
    count += entry.path().extension() == ".cpp" ? 1 : 0;
  return count;
}

std::size_t registered(BuiltIn::Kind kind) {
  std::size_t count = 0;
  for (const BuiltIn& one : built_ins()) count += one.kind == kind ? 1 : 0;
  return count;
}

TEST(Registry, HoldsEveryFile) {
  EXPECT_EQ(clauses().size(), files_in("clauses"));
  EXPECT_EQ(registered(BuiltIn::Kind::mutant), files_in("mutants"));
  EXPECT_EQ(registered(BuiltIn::Kind::control), files_in("controls"));
}

TEST(Registry, IsTheImplementedPartOfTheCatalogue) {
  std::set<std::string> implemented, here;
  for (const CatalogueEntry& entry : catalogue())
    if (entry.implemented) implemented.insert(entry.clause);
  for (const Clause& clause : clauses()) here.emplace(clause.id);
  EXPECT_EQ(here, implemented);
}

TEST(Catalogue, HasItsEightyThreeClauses) {
  std::map<std::string, int> rules;
  for (const CatalogueEntry& entry : catalogue())
    ++rules[entry.clause.substr(0, entry.clause.find('/'))];
  const std::map<std::string, int> expected = {
      {"scaling", 15}, {"clipping", 14}, {"accumulation", 13}, {"skipping", 16},
      {"tokens", 11},  {"weights", 4},   {"schedule", 4},      {"kernel", 6}};
  EXPECT_EQ(rules, expected);
}

TEST(Registry, ShowsTheSourceOfEveryBuiltIn) {
  for (const BuiltIn& one : built_ins())
    EXPECT_NE(embedded_text(one.file).find(one.name), std::string_view::npos) << one.full_name();
}

TEST(Registry, MutantsBreakClausesOfAnImplementedRule) {
  for (const BuiltIn& one : built_ins()) {
    if (one.kind == BuiltIn::Kind::control) continue;
    bool has_clause = false;
    for (const Clause& clause : clauses())
      has_clause |= clause.id.starts_with(std::string(one.rule) + "/");
    EXPECT_TRUE(has_clause) << one.full_name();
  }
}

}  // namespace
}  // namespace ampcheck::properties
