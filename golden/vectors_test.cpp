// Every vector is played: the textbook passes it, and the mutants that it names fail it.
#include "golden/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "golden/golden.hpp"
#include "properties/catalogue.hpp"
#include "properties/engine.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::golden {
namespace {

std::string explained(const properties::ClauseReport& report) {
  std::string text = report.reason;
  if (report.failure && report.failure->fault) {
    const properties::Fault& fault = *report.failure->fault;
    text += ": step " + std::to_string(fault.step) + " " + fault.observation + " expected " +
            fault.expected + " actual " + fault.actual;
  }
  return text;
}

TEST(Vectors, AreFortyAndMore) { EXPECT_GE(vectors().size(), 40u); }

TEST(Vectors, TheTextbookPassesAll) {
  subject::InProcess textbook = subject::textbook_in_process();
  for (const Vector& vector : vectors()) {
    const properties::Clause* clause = properties::find_clause(vector.clause);
    ASSERT_NE(clause, nullptr) << vector.id;
    const properties::ClauseReport report = properties::run_case(textbook, *clause, vector.played);
    EXPECT_EQ(report.verdict, properties::Verdict::pass) << vector.id << ": " << explained(report);
    EXPECT_GT(report.patterns, 0) << vector.id;
  }
}

TEST(Vectors, MutantsFailTheirs) {
  std::set<std::string> seen;
  for (const Vector& vector : vectors())
    for (const std::string& mutant : vector.mutants) {
      const properties::BuiltIn* found = properties::find_built_in("mutant:" + mutant);
      ASSERT_NE(found, nullptr) << vector.id << ": " << mutant;
      subject::InProcess subject(found->hello(), found->make);
      const properties::ClauseReport report =
          properties::run_case(subject, *properties::find_clause(vector.clause), vector.played);
      EXPECT_EQ(report.verdict, properties::Verdict::fail) << vector.id << ": " << mutant;
      seen.insert(mutant);
    }
  EXPECT_GE(seen.size(), 36u);  // one for each mutant
}

TEST(Vectors, SayWhatTheyAre) {
  const std::set<std::string> rules = {"scaling", "clipping", "accumulation", "skipping",
                                       "tokens",  "weights",  "schedule"};
  for (const Vector& vector : vectors()) {
    const std::size_t slash = vector.id.find('/');
    ASSERT_NE(slash, std::string::npos) << vector.id;
    EXPECT_TRUE(rules.contains(vector.id.substr(0, slash))) << vector.id;
    EXPECT_TRUE(std::ranges::all_of(vector.id, [](char c) {
      return std::islower(c) || std::isdigit(c) || c == '-' || c == '/' || c == '.';
    })) << vector.id;
    EXPECT_NE(properties::find_entry(vector.clause), nullptr) << vector.id;
    EXPECT_EQ(vector.id.substr(0, slash), vector.clause.substr(0, vector.clause.find('/')))
        << vector.id;
    EXPECT_FALSE(vector.sentence.empty()) << vector.id;
    EXPECT_FALSE(vector.source.empty()) << vector.id;
    EXPECT_EQ(vector.played.id, vector.id);
    EXPECT_EQ(find_vector(vector.id), &vector);
  }
  EXPECT_EQ(find_vector("scaling/no-such-vector"), nullptr);
}

}  // namespace
}  // namespace ampcheck::golden
