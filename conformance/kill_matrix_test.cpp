// The kill matrix in the repository is that of today's clauses, mutants and controls, and a proof.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "conformance/atomic_file.hpp"
#include "properties/built_in.hpp"
#include "properties/clause.hpp"
#include "properties/draw.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::json;
using Names = std::set<std::string>;

const Json& matrix() {
  static const Json document = Json::parse(read_file(AMPCHECK_ROOT "/properties/kill_matrix.json"));
  return document;
}

Names names_in(const Json& rows) {
  Names names;
  for (const Json& row : rows) names.insert(row.at("name").get<std::string>());
  return names;
}

TEST(KillMatrix, HasTheNamesOfToday) {
  Names mutants, controls{"textbook"}, clauses;
  for (const properties::BuiltIn& one : properties::built_ins())
    (one.kind == properties::BuiltIn::Kind::mutant ? mutants : controls)
        .insert(std::string(one.name));
  for (const properties::Clause& clause : properties::clauses())
    clauses.insert(std::string(clause.id));
  EXPECT_EQ(mutants, names_in(matrix().at("mutants")));
  EXPECT_EQ(controls, names_in(matrix().at("controls")));
  EXPECT_EQ(clauses, matrix().at("clauses").get<Names>());
  EXPECT_EQ(properties::kGeneratorVersion, matrix().at("generators").get<std::uint64_t>());
}

TEST(KillMatrix, IsAProof) {
  const auto seeds = matrix().at("seeds").get<std::int64_t>();
  std::int64_t at_smoke = 0;
  for (const Json& mutant : matrix().at("mutants")) {
    EXPECT_EQ(seeds, mutant.at("by_its_rule").get<std::int64_t>()) << mutant.at("name");
    at_smoke += mutant.at("at_smoke").get<std::int64_t>();
  }
  EXPECT_GE(10 * at_smoke, 9 * seeds * std::ssize(matrix().at("mutants")));
  for (const Json& control : matrix().at("controls")) {
    EXPECT_TRUE(control.at("blamed_by").empty()) << control.at("name");
    EXPECT_GT(control.at("cases").get<std::int64_t>(), 0) << control.at("name");
  }
}

}  // namespace
}  // namespace ampcheck::conformance
