// What is said of a step, in either way, and whether anything is.
#include <gtest/gtest.h>

#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::binary32;

class ShownVerdictTest : public testing::Test {
 protected:
  // A window of two optimizers, of which the second one has an inf: unscale, step, step.
  explicit ShownVerdictTest(bool enabled = true) {
    ScalerPlan plan;
    plan.enabled = enabled;
    CaseBuilder builder;
    builder.scaler(plan).sgd("a", {zeros("w", 1, binary32)}).sgd("b", {zeros("v", 1, binary32)});
    builder.backward({{"w", vector({dyadic(3, 0, binary32)}, binary32)},
                      {"v", vector({binary32.infinity()}, binary32)}});
    builder.unscale("b").observe({"found_non_finite"});
    builder.step("a").observe({"found_non_finite"});
    builder.step("b").observe({"found_non_finite"});
    case_ = builder.done();
    InProcess textbook = textbook_in_process();
    answers_ = textbook.play(case_).answers;
  }

  Value& seen(std::size_t step, const char* name) {
    return answers_[step].observed.at(name).front();
  }
  Judgement judged(const Policy& policy = Textbook::hello().policy) const {
    return judge(case_, answers_, reference_policy(policy), kShownVerdict);
  }
  void expect_fault(const char* kind, std::size_t step, const char* observation) const {
    const Judgement judgement = judged();
    ASSERT_EQ(judgement.outcome, Judgement::Outcome::fail) << judgement.reason;
    EXPECT_EQ(judgement.fault->kind, kind);
    EXPECT_EQ(judgement.fault->step, step);
    EXPECT_EQ(judgement.fault->observation, observation);
  }

  static constexpr std::size_t kUnscale = 4, kClean = 5, kBad = 6;
  Case case_;
  std::vector<Answer> answers_;
};

TEST_F(ShownVerdictTest, EveryVerdictIsJudged) {
  const Judgement judgement = judged();
  EXPECT_EQ(judgement.outcome, Judgement::Outcome::pass) << judgement.reason;
  EXPECT_EQ(judgement.single, 5);  // found thrice, stepped twice
}

TEST_F(ShownVerdictTest, IsThatOfItsOptimizer) {
  seen(kUnscale, "found_non_finite") = false;
  expect_fault("wrong verdict", kUnscale, "found_non_finite");
}

TEST_F(ShownVerdictTest, OfACleanStepIsClean) {
  seen(kClean, "found_non_finite") = true;
  expect_fault("wrong verdict", kClean, "found_non_finite");
}

TEST_F(ShownVerdictTest, OfASkipIsTold) {
  seen(kBad, "stepped") = true;
  expect_fault("step on inf or NaN", kBad, "stepped");
}

TEST_F(ShownVerdictTest, OneOfBothWillDo) {
  seen(kBad, "stepped") = Null{};
  seen(kClean, "found_non_finite") = Null{};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::pass);
  seen(kBad, "found_non_finite") = Null{};
  expect_fault("no verdict", kBad, "stepped");
}

// Unscale says nothing; the step does.
TEST_F(ShownVerdictTest, UnscaleMaySayNothing) {
  seen(kUnscale, "found_non_finite") = Null{};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::pass);
}

// What was done together with another step says it, too, or nobody does.
TEST_F(ShownVerdictTest, IsAskedOfWhatWasDoneTogether) {
  answers_[kBad].kind = Answer::Kind::with;
  answers_[kBad].with = kUnscale;
  EXPECT_EQ(judged().outcome, Judgement::Outcome::pass);
  answers_[kBad].observed.clear();
  expect_fault("no verdict", kBad, "stepped");
}

// Where one skips for all, its inf may have been found by all.
TEST_F(ShownVerdictTest, OfOneForAllMayBeEither) {
  Policy policy = Textbook::hello().policy;
  policy.declared["skip_scope"] = {"all", {}};
  seen(kClean, "stepped") = false;
  for (const bool found : {false, true}) {
    seen(kClean, "found_non_finite") = found;
    EXPECT_EQ(judged(policy).outcome, Judgement::Outcome::pass);
  }
  seen(kBad, "found_non_finite") = false;
  EXPECT_EQ(judged(policy).outcome, Judgement::Outcome::fail);
}

struct DisabledVerdictTest : ShownVerdictTest {
  DisabledVerdictTest() : ShownVerdictTest(false) {}
};

TEST_F(DisabledVerdictTest, NobodyAsks) {
  for (const bool found : {false, true}) {
    seen(kBad, "found_non_finite") = found;
    seen(kBad, "stepped") = Null{};
    EXPECT_NE(judged().outcome, Judgement::Outcome::fail);
  }
}

}  // namespace
}  // namespace ampcheck::properties
