// Steps that misuse the library: what they are, and how their answers are judged.
#include "properties/misuse.hpp"

#include <gtest/gtest.h>

#include "properties/applicability.hpp"
#include "properties/check_case.hpp"
#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "reference/bad_session.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::binary32;
using reference::binary64;
using testing::Test;

std::vector<std::size_t> misused(const Case& made) {
  std::vector<std::size_t> steps;
  for (const auto& [step, how] : misuses(made)) steps.push_back(step);
  return steps;
}

// S = 8, a gradient of 3 in w, which optimizer `a` has and, as v, optimizer `b`.
struct MisuseTest : Test {
  MisuseTest() {
    builder.scaler({}).sgd("a", {zeros("w", 1, binary32)}).sgd("b", {{"v", {}, "w"}});
    micro_batch();
  }
  void micro_batch() { builder.backward({{"w", vector({dyadic(3, 0, binary32)}, binary32)}}); }
  const Scalar minus_one = scalar(dyadic(-1, 0, binary32), binary32);
  CaseBuilder builder;
};

TEST_F(MisuseTest, IsEverySecondUnscaleAndStep) {
  builder.unscale("a").unscale("a").step("a").step("a").unscale("a").update();
  EXPECT_EQ((std::vector<std::size_t>{5, 7, 8}), misused(builder.done()));
}

TEST_F(MisuseTest, IsAnUnscaleOfWhatAnotherHasUnscaled) {
  builder.unscale("a").unscale("b").update();
  EXPECT_EQ((std::vector<std::size_t>{5}), misused(builder.done()));
}

TEST_F(MisuseTest, IsAMicroBatchAfterUnscale) {
  builder.unscale("a");
  micro_batch();
  EXPECT_EQ((std::vector<std::size_t>{5}), misused(builder.done()));
}

TEST_F(MisuseTest, IsAnUpdateWithNothingToJudge) {
  builder.step("a").update().update();
  EXPECT_EQ((std::vector<std::size_t>{6}), misused(builder.done()));
}

TEST_F(MisuseTest, IsALimitBelowZero) {
  builder.unscale("a").clip_norm({"a"}, minus_one).clip_value({"a"}, minus_one);
  EXPECT_EQ((std::vector<std::size_t>{5, 6}), misused(builder.done()));
}

TEST_F(MisuseTest, IsNothingElse) {
  builder.unscale("a").clip_norm({"a"}, scalar(0, binary32)).step("a").update().zero_grad("a");
  micro_batch();
  builder.step("b").update();
  EXPECT_EQ(std::vector<std::size_t>(), misused(builder.done()));
}

TEST(Misuse, IsASettingThatMakesNoSense) {
  const auto made = [](auto change) {
    ScalerPlan plan;
    change(plan);
    return misused(CaseBuilder().scaler(plan).done()).size();
  };
  EXPECT_EQ(0u, made([](ScalerPlan&) {}));
  EXPECT_EQ(1u, made([](ScalerPlan& p) { p.init_scale.bits = 0; }));
  EXPECT_EQ(1u, made([](ScalerPlan& p) { p.init_scale.bits = binary32.infinity(); }));
  EXPECT_EQ(1u, made([](ScalerPlan& p) { p.growth_factor.bits = power_of_two(0, binary64); }));
  EXPECT_EQ(1u, made([](ScalerPlan& p) { p.growth_factor.bits = binary64.nan(); }));
  EXPECT_EQ(1u, made([](ScalerPlan& p) { p.backoff_factor.bits = power_of_two(0, binary64); }));
  EXPECT_EQ(1u, made([](ScalerPlan& p) { p.backoff_factor.bits = 0; }));
  EXPECT_EQ(1u, made([](ScalerPlan& p) { p.growth_interval = 0; }));
}

TEST_F(MisuseTest, StandsInCasesThatAskForItOnly) {
  builder.unscale("a").unscale("a");
  Case made = builder.done();
  made.clause = "scaling/double-unscale-detected";
  EXPECT_NO_THROW(check_case(made));
  made.clause = "scaling/unscale-once";
  EXPECT_THROW(check_case(made), reference::BadSession);
}

TEST_F(MisuseTest, IsPlayedWhereItIsOffered) {
  Case made = builder.done();
  made.clause = "scaling/double-unscale-detected";
  Hello hello = Textbook::hello();
  EXPECT_EQ("", inapplicable(made, hello));
  std::erase(hello.operations, "misuse");
  EXPECT_EQ("operations without misuse", inapplicable(made, hello));
  made.clause = "scaling/unscale-once";
  EXPECT_EQ("", inapplicable(made, hello));
}

// The same steps, the misuse refused or not, and w afterwards: 0 - lr·g, with lr = 1/2.
struct JudgedMisuse : MisuseTest {
  JudgedMisuse& play(Case made, bool refused, std::int64_t w) {
    InProcess textbook = textbook_in_process();
    const std::size_t step = misused(made).front();
    std::vector<Answer> answers = textbook.play(made).answers;
    EXPECT_EQ(answers[step].kind, Answer::Kind::raised);
    if (!refused) answers[step] = {};
    std::get<ObservedTensor>(answers.back().observed.at("parameter/w").front()).tensor.bits = {
        dyadic(w, -1, binary32)};
    of_refusal = judged(made, answers, kRefusal | kParameter);
    of_harm = judged(made, answers, kRefusalOrNoHarm | kParameter);
    return *this;
  }
  static std::string judged(const Case& made, const std::vector<Answer>& answers,
                            unsigned decides) {
    const Judgement judgement =
        judge(made, answers, reference_policy(Textbook::hello().policy), decides);
    return judgement.fault ? judgement.fault->kind : judgement.reason;
  }
  std::string of_refusal, of_harm;
};

TEST_F(JudgedMisuse, ASecondUnscale) {
  builder.unscale("a").unscale("a").step("a").observe({"parameter/w"});
  const Case made = builder.done();
  play(made, true, -3);
  EXPECT_EQ("", of_refusal);
  EXPECT_EQ("", of_harm);
  play(made, false, -3);
  EXPECT_EQ("not refused", of_refusal);
  EXPECT_EQ("", of_harm);
  // Refused, and done all the same.
  play(made, true, -5);
  EXPECT_EQ("wrong value", of_refusal);
  EXPECT_EQ("wrong value", of_harm);
}

TEST_F(JudgedMisuse, AMicroBatchAfterUnscale) {
  builder.unscale("a");
  micro_batch();
  builder.step("a").observe({"parameter/w"});
  const Case made = builder.done();
  play(made, true, -3);
  EXPECT_EQ("", of_harm);
  play(made, false, -6);  // both of them, each unscaled
  EXPECT_EQ("", of_harm);
  play(made, false, -27);  // 3 and the scaled 8·3
  EXPECT_EQ("wrong value", of_harm);
  play(made, true, -6);
  EXPECT_EQ("wrong value", of_harm);
}

}  // namespace
}  // namespace ampcheck::properties
