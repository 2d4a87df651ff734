#include "properties/judge.hpp"

#include <gtest/gtest.h>

#include "properties/built_in.hpp"
#include "properties/check_case.hpp"
#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/policy.hpp"
#include "reference/bad_session.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::binary32;

constexpr unsigned kEverything =
    kSeed | kGradient | kParameter | kState | kScale | kUsableScale | kStepped | kNorm;

class JudgeTest : public testing::Test {
 protected:
  // S = 8, one element, gradient 3, learning rate 1/2.
  JudgeTest() {
    CaseBuilder builder;
    builder.scaler({}).sgd("o", {zeros("w", 1, binary32)});
    builder.backward({{"w", vector({dyadic(3, 0, binary32)}, binary32)}})
        .observe({"seed", "gradient/w"});
    builder.unscale("o").observe({"gradient/w"});
    builder.step("o").observe({"stepped", "parameter/w"});
    builder.update().observe({"scale"});
    case_ = builder.done();
    case_.clause = "scaling/unscale-once";
    InProcess textbook = textbook_in_process();
    answers_ = textbook.play(case_).answers;
  }

  Judgement judged(unsigned decides = kEverything) const {
    return judge(case_, answers_, reference_policy(Textbook::hello().policy), decides);
  }
  Value& seen(std::size_t step, const char* name) {
    return answers_[step].observed.at(name).front();
  }
  ObservedTensor& tensor(std::size_t step, const char* name) {
    return std::get<ObservedTensor>(seen(step, name));
  }

  void expect_fault(const char* kind, std::size_t step, const char* observation,
                    unsigned decides = kEverything) {
    const Judgement judgement = judged(decides);
    ASSERT_EQ(judgement.outcome, Judgement::Outcome::fail) << judgement.reason;
    EXPECT_EQ(judgement.fault->kind, kind);
    EXPECT_EQ(judgement.fault->step, step);
    EXPECT_EQ(judgement.fault->observation, observation);
  }

  Case case_;
  std::vector<Answer> answers_;
};

TEST_F(JudgeTest, PassesTheRightAnswers) {
  const Judgement judgement = judged();
  EXPECT_EQ(judgement.outcome, Judgement::Outcome::pass) << judgement.reason;
  EXPECT_EQ(judgement.patterns, 7);  // seed, two gradients, stepped, parameter, scale twice
  EXPECT_EQ(judgement.single, 7);
}

TEST_F(JudgeTest, ATensorOfTwoNamesIsOne) {
  const Tensor gradient = vector({dyadic(3, 0, binary32), dyadic(4, 0, binary32)}, binary32);
  CaseBuilder builder;
  builder.scaler({}).sgd("a", {zeros("w", 2, binary32)});
  builder.sgd("b", {{"v", {}, "w"}}).sgd("c", {{"u", {}, "v"}});
  builder.backward({{"v", gradient}}).observe({"gradient/w", "gradient/u"});
  builder.unscale("a").unscale("b").observe({"gradient/w", "gradient/v"});
  builder.clip_norm({"a", "b", "c"}, scalar(dyadic(5, -1, binary32), binary32));
  builder.observe({"norm", "gradient/u"});
  builder.step("b").observe({"stepped", "parameter/w", "parameter/v"});
  case_ = builder.done();
  InProcess textbook = textbook_in_process();
  answers_ = textbook.play(case_).answers;
  const Judgement judgement = judged();
  EXPECT_EQ(judgement.outcome, Judgement::Outcome::pass)
      << (judgement.fault ? judgement.fault->observation + " " + judgement.fault->expected
                          : judgement.reason);
  EXPECT_EQ(std::get<Scalar>(seen(7, "norm")).bits, dyadic(5, 0, binary32));
  std::get<Scalar>(seen(7, "norm")).bits = 0x40e24641;  // √50
  expect_fault("wrong value", 7, "norm");
}

TEST_F(JudgeTest, TwoNamesInOneOptimizerAreNoCase) {
  CaseBuilder builder;
  builder.sgd("a", {zeros("w", 2, binary32), {"v", {}, "w"}});
  EXPECT_THROW(check_case(builder.done()), reference::BadSession);
}

TEST_F(JudgeTest, ANormMayBeShownWiderThanBinary32) {
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 2, binary32)});
  builder.backward({{"w", vector({dyadic(1, 0, binary32), dyadic(1, 0, binary32)}, binary32)}});
  builder.unscale("o").clip_norm({"o"}, scalar(dyadic(5, 0, binary32), binary32)).observe({"norm"});
  case_ = builder.done();
  // √2 in binary64, one unit off, and in binary32.
  for (const auto& [bits, right] : {std::pair(0x3ff6a09e667f3bcd, true),
                                    {0x3ff6a09e667f3bce, false},
                                    {0x3ff6a09e60000000, true}}) {
    answers_ = {{}, {}, {}, {}, {}};
    answers_[4].observed["norm"] = {Scalar{&reference::binary64, static_cast<std::uint64_t>(bits)}};
    EXPECT_EQ(judged(kNorm).outcome == Judgement::Outcome::pass, right) << std::hex << bits;
  }
}

// A window with a NaN and its clip by the largest magnitude.
TEST_F(JudgeTest, TheNormOfANanIsNoNumber) {
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 2, binary32)});
  builder.backward({{"w", vector({binary32.nan(), dyadic(1, 0, binary32)}, binary32)}});
  builder.unscale("o");
  builder.clip_norm({"o"}, scalar(dyadic(5, 0, binary32), binary32),
                    scalar(binary32.infinity(), binary32));
  builder.observe({"norm"}).step("o");
  case_ = builder.done();
  answers_ = textbook_in_process().play(case_).answers;
  EXPECT_EQ(judged(kNorm | kStepped).outcome, Judgement::Outcome::pass);
  for (const std::uint64_t bits : {binary32.infinity(), binary32.nan(), binary32.sign_bit()}) {
    seen(4, "norm") = Scalar{&binary32, bits};
    EXPECT_EQ(judged(kNorm).outcome == Judgement::Outcome::pass, !binary32.is_finite(bits));
  }
  expect_fault("finite", 4, "norm", kNorm);
  // No clip was made, or it was refused.
  seen(4, "norm") = Null{};
  EXPECT_EQ(judged(kNorm | kStepped).outcome, Judgement::Outcome::pass);
  answers_[4] = {Answer::Kind::raised, "RuntimeError: the norm is nan", -1, false, {}};
  EXPECT_EQ(judged(kNorm | kStepped).outcome, Judgement::Outcome::pass);
}

// Gradients with squares beyond binary32.
TEST_F(JudgeTest, OverflowsOnTheWayToANorm) {
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 2, binary32)});
  builder.backward({{"w", vector({dyadic(3, 80, binary32), dyadic(4, 80, binary32)}, binary32)}});
  builder.unscale("o").clip_norm({"o"}, scalar(dyadic(5, 0, binary32), binary32));
  builder.observe({"norm"}).step("o").observe({"parameter/w"});
  case_ = builder.done();
  answers_ = textbook_in_process().play(case_).answers;
  EXPECT_EQ(judged(kNorm | kParameter | kTrueNorm).outcome, Judgement::Outcome::pass);
  seen(4, "norm") = Scalar{&binary32, binary32.infinity()};
  for (std::uint64_t& bits : tensor(5, "parameter/w").tensor.bits) bits = 0;
  expect_fault("not finite", 4, "norm", kNorm | kTrueNorm);
  expect_fault("zero", 5, "parameter/w", kParameter | kTrueNorm);
  EXPECT_EQ(judged(kNorm).outcome, Judgement::Outcome::pass);
  EXPECT_EQ(judged(kParameter).outcome, Judgement::Outcome::pass);
  answers_[4] = {Answer::Kind::raised, "RuntimeError: the norm is inf", -1, false, {}};
  EXPECT_EQ(judged(kParameter | kTrueNorm).outcome, Judgement::Outcome::pass);
  // The same of harmless gradients.
  std::get<Backward>(case_.steps[2].action).coefficients[0].values.bits = {dyadic(3, 0, binary32),
                                                                           dyadic(4, 0, binary32)};
  expect_fault("raised", 4, "", kParameter | kTrueNorm);
}

TEST_F(JudgeTest, WithoutAScalerNothingIsSaidOfAnInf) {
  CaseBuilder builder;
  ScalerPlan disabled;
  disabled.enabled = false;
  builder.scaler(disabled).sgd("o", {zeros("w", 1, binary32)});
  builder.backward({{"w", vector({binary32.infinity()}, binary32)}});
  builder.step("o").observe({"parameter/w"});
  case_ = builder.done();
  InProcess textbook = textbook_in_process();
  answers_ = textbook.play(case_).answers;
  EXPECT_EQ(judged(kParameter).outcome, Judgement::Outcome::pass);
}

TEST_F(JudgeTest, WhatIsLeftToAStepIsJudgedThere) {
  answers_[3] = {Answer::Kind::with, "", 4, false, {}};
  answers_[3].observed["gradient/w"] = answers_[2].observed["gradient/w"];  // still scaled
  EXPECT_EQ(judged().outcome, Judgement::Outcome::pass);
  EXPECT_EQ(judged(kGradient).outcome, Judgement::Outcome::not_judged);
  tensor(4, "parameter/w").tensor.bits[0] ^= 1;
  expect_fault("wrong value", 4, "parameter/w");
  case_.steps[4].observe = {"stepped"};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged);
}

TEST_F(JudgeTest, NotEveryStepCanDoTheWork) {
  for (const int with : {0, 1}) {  // the scaler, the optimizer
    answers_[3] = {Answer::Kind::with, "", with, false, {}};
    EXPECT_EQ(judged().outcome, Judgement::Outcome::malformed) << with;
  }
}

TEST_F(JudgeTest, OneBitIsEnough) {
  for (const auto& [step, name] :
       {std::pair(2, "gradient/w"), {3, "gradient/w"}, {4, "parameter/w"}}) {
    const auto s = static_cast<std::size_t>(step);
    tensor(s, name).tensor.bits[0] ^= 1;
    expect_fault("wrong value", s, name);
    tensor(s, name).tensor.bits[0] ^= 1;
  }
}

TEST_F(JudgeTest, ComparesOnlyWhatDecides) {
  tensor(3, "gradient/w").tensor.bits[0] ^= 1;
  // The parameter then follows from the gradient that was seen.
  EXPECT_EQ(judged(kStepped | kScale).outcome, Judgement::Outcome::pass);
  expect_fault("wrong value", 4, "parameter/w", kParameter);
}

TEST_F(JudgeTest, AWiderFormatMayShowTheSameNumber) {
  seen(5, "scale") = Scalar{&reference::binary64, 0x4020000000000000};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::pass);
  seen(5, "scale") = Scalar{&reference::binary64, 0x4020000000000001};
  expect_fault("wrong scale", 5, "scale");
}

TEST_F(JudgeTest, ScalesThatNoRuleKnows) {
  for (const std::uint64_t bits : {0x7f800000u, 0x00000000u, 0x7fc00000u, 0xc1000000u}) {
    seen(5, "scale") = Scalar{&binary32, bits};
    expect_fault("unusable scale", 5, "scale");
    expect_fault("unusable scale", 5, "scale", kScale);
    EXPECT_EQ(judged(kGradient).outcome, Judgement::Outcome::pass);
  }
}

TEST_F(JudgeTest, Units) {
  tensor(3, "gradient/w").unit = Unit::scaled;
  expect_fault("still scaled", 3, "gradient/w");
  tensor(3, "gradient/w").unit = Unit::cleared;
  expect_fault("no gradient", 3, "gradient/w");
  tensor(3, "gradient/w").unit = Unit::unknown;
  EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged);
}

TEST_F(JudgeTest, Shapes) {
  tensor(4, "parameter/w").tensor.bits.push_back(0);
  expect_fault("wrong shape", 4, "parameter/w");
}

TEST_F(JudgeTest, SkippedCleanSteps) {
  seen(4, "stepped") = false;
  expect_fault("clean step skipped", 4, "stepped");
}

TEST_F(JudgeTest, NullIsNotJudged) {
  for (const auto& [step, name] : {std::pair(2, "seed"),
                                   {3, "gradient/w"},
                                   {4, "stepped"},
                                   {4, "parameter/w"},
                                   {5, "scale"}}) {
    Value& value = seen(static_cast<std::size_t>(step), name);
    const Value before = std::exchange(value, Null{});
    EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged) << name;
    value = before;
  }
}

TEST_F(JudgeTest, ExceptionsAndRefusals) {
  answers_[3] = {Answer::Kind::raised, "ValueError: no", -1, false, {}};
  expect_fault("raised", 3, "");
  answers_[3] = {Answer::Kind::unsupported, "later", -1, false, {}};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::unsupported);
  answers_[3] = {Answer::Kind::with, "", 4, false, {}};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged);  // its gradient is not shown
  EXPECT_EQ(judged(kParameter).outcome, Judgement::Outcome::pass);
}

// Two overflows from a scale of 2 under a floor of 1; the second update raises, or does not.
TEST_F(JudgeTest, ExceptionsAtTheFloor) {
  const Tensor inf = vector({binary32.infinity()}, binary32);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(1, binary32);
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 1, binary32)});
  for (int i = 0; i < 2; ++i)
    builder.backward({{"w", inf}}).step("o").update().observe({"scale"}).zero_grad("o");
  builder.observe({"parameter/w"});
  case_ = builder.done();
  subject::Policy policy = Textbook::hello().policy;
  policy.declared["floor"] = {"", scalar_power_of_two(0, binary32)};
  const BuiltIn& holds = *find_built_in("control:floor-one");
  InProcess subject(holds.hello(), holds.make);
  const std::vector<Answer> held = subject.play(case_).answers;
  std::vector<Answer> raised = held;
  raised[8] = {Answer::Kind::raised, "RuntimeError: at the floor", -1, false, {}};
  raised[9].observed.at("parameter/w") = {Null{}};  // nobody asks what comes after
  std::vector<Answer> early = held;
  early[4] = raised[8];
  const auto kind = [&](const char* at_floor, const std::vector<Answer>& answers,
                        unsigned decides = kScale) {
    policy.declared["at_floor"] = word(at_floor);
    const Judgement judgement = judge(case_, answers, reference_policy(policy), decides);
    return judgement.fault ? judgement.fault->kind + std::to_string(judgement.fault->step)
           : judgement.outcome == Judgement::Outcome::pass ? ""
                                                           : judgement.reason;
  };
  EXPECT_EQ(kind("hold", held), "");
  EXPECT_EQ(kind("hold", raised), "raised8");
  EXPECT_EQ(kind("raise", raised), "");
  EXPECT_EQ(kind("raise", raised, kParameter), "");  // shown after it only, and not asked for
  EXPECT_EQ(kind("raise", held), "not raised8");
  EXPECT_EQ(kind("raise", early), "raised4");
  EXPECT_EQ(kind("raise_on_reaching", early), "");
  EXPECT_EQ(kind("raise_on_reaching", held), "not raised4");
  // Only the clause that judges the schedule asks for the exception.
  EXPECT_EQ(kind("raise", held, kParameter), "");
  EXPECT_EQ(kind("hold", raised, kStepped), "raised8");
}

TEST_F(JudgeTest, MalformedAnswers) {
  answers_[3].observed.clear();
  EXPECT_EQ(judged().outcome, Judgement::Outcome::malformed);
  answers_[3] = {Answer::Kind::with, "", 3, false, {}};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::malformed);
  answers_.pop_back();
  EXPECT_EQ(judged().outcome, Judgement::Outcome::malformed);
}

// Whatever a subject answers, the judge has a word for it.
TEST(Judge, SurvivesEveryAnswer) {
  const reference::Policy policy = reference_policy(Textbook::hello().policy);
  InProcess textbook = textbook_in_process();
  for (const Clause& clause : clauses())
    for (std::uint64_t i = 0; i < 150; ++i) {
      const Case one = generate_case(clause, 3, i);
      const std::vector<Answer> right = textbook.play(one).answers;
      Draw draw(3, clause.id, 1000000 + i);
      std::vector<Answer> answers = right;
      for (Answer& answer : answers)
        for (auto& [name, observation] : answer.observed) {
          Value& value = observation.front();
          if (!draw.chance(3)) continue;
          if (auto* scalar = std::get_if<Scalar>(&value)) {
            scalar->bits = draw_any(draw, *scalar->format);
          } else if (auto* seen = std::get_if<ObservedTensor>(&value)) {
            for (std::uint64_t& bits : seen->tensor.bits)
              if (draw.coin()) bits = draw_any(draw, *seen->tensor.format);
            if (draw.chance(8) && !seen->tensor.bits.empty()) seen->tensor.bits.pop_back();
          } else if (auto* flag = std::get_if<bool>(&value)) {
            *flag = !*flag;
          } else {
            value = Null{};
          }
        }
      ASSERT_NO_THROW(judge(one, answers, policy, clause.decides)) << one.id;
      ASSERT_NO_THROW(judge(one, answers, policy, 0)) << one.id;
      ASSERT_NO_THROW(judge(one, answers, policy, kScale)) << one.id;
    }
}

}  // namespace
}  // namespace ampcheck::properties
