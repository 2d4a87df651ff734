// A broken SHOULD is advice: it counts under --strict only, and against no right implementation.
#include "conformance/advice.hpp"

#include <gtest/gtest.h>

#include "conformance/report.hpp"
#include "properties/engine.hpp"
#include "properties/kill_matrix.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::conformance {
namespace {

using properties::BuiltIn;
using properties::ClauseReport;
using properties::Verdict;

constexpr const char* kShould = "clipping/no-spurious-overflow";

// Of a right implementation whose squares underflow.
ClauseReport report(const char* clause) {
  const BuiltIn& one = *properties::find_built_in("control:pairwise-norm");
  subject::InProcess subject(one.hello(), one.make);
  properties::EngineOptions options;
  options.cases_per_clause = 20;
  options.shrink_seconds = 0;
  return properties::run(subject, {properties::find_clause(clause)}, options).clauses.front();
}

RunFrame frame(bool strict) {
  return {"control:pairwise-norm",
          properties::find_built_in("control:pairwise-norm")->hello(),
          1,
          "smoke",
          "*",
          strict};
}

TEST(Advice, IsWhatBreaksAShould) {
  ClauseReport broken = report(kShould);
  ASSERT_EQ(broken.verdict, Verdict::fail);
  soften(broken);
  EXPECT_EQ(broken.verdict, Verdict::advice);
  EXPECT_TRUE(broken.failure);
  EXPECT_FALSE(counts_against(broken, frame(false)));
  EXPECT_TRUE(counts_against(broken, frame(true)));
  properties::RunReport run;
  run.clauses.push_back(broken);
  EXPECT_NE(table(frame(false), run, false).find("of 20 cases: "), std::string::npos);
  EXPECT_EQ(count(run).judged, 1);
  EXPECT_EQ(count(run).conforming, 0);
}

TEST(Advice, IsNothingElse) {
  ClauseReport kept = report("clipping/norm-formats");
  soften(kept);
  EXPECT_EQ(kept.verdict, Verdict::pass);
  ClauseReport broken = kept;
  broken.verdict = Verdict::fail;
  soften(broken);
  EXPECT_EQ(broken.verdict, Verdict::fail);
}

TEST(Advice, BlamesNoControlAndCatchesMutants) {
  const std::vector<const properties::Clause*> should = {properties::find_clause(kShould)};
  const auto blamed_by = [&](const char* name) {
    return properties::blame(*properties::find_built_in(name), should, 1, 20, false);
  };
  EXPECT_TRUE(blamed_by("control:pairwise-norm").empty());
  EXPECT_EQ(blamed_by("mutant:overflow-clears"), std::vector<std::string>{kShould});
}

}  // namespace
}  // namespace ampcheck::conformance
