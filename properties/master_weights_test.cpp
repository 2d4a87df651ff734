// Masters and copies, as they are judged.
#include <gtest/gtest.h>

#include "properties/built_in.hpp"
#include "properties/check_case.hpp"
#include "properties/clause.hpp"
#include "properties/generators/masters.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "properties/repetition.hpp"
#include "properties/rounded_up.hpp"
#include "reference/bad_session.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::Admissible;
using reference::binary16;
using reference::binary32;

Policy stochastic() {
  Policy policy = Textbook::hello().policy;
  policy.declared["copy_rounding"] = word("stochastic");
  return policy;
}

class MasterWeightsTest : public testing::Test {
 protected:
  // Elements of 1 that move by so many quarters of an ulp.
  MasterWeightsTest() { play({1, 3}); }

  void play(const std::vector<std::int64_t>& quarters) {
    std::vector<std::uint64_t> gradient;
    for (const std::int64_t one : quarters) gradient.push_back(dyadic(-one, -10, binary16));
    const std::vector<std::uint64_t> ones(quarters.size(), power_of_two(0, binary16));
    CaseBuilder builder;
    builder.scaler({}).optimizer(master_sgd({{"w", vector(ones, binary16), ""}}, -2));
    builder.backward({{"w", vector(gradient, binary16)}});
    builder.step("o").observe(masters_and_copies({"w"}));
    case_ = builder.done();
    InProcess textbook = textbook_in_process();
    answers_ = textbook.play(case_).answers;
  }

  Judgement judged(unsigned decides, const Policy& policy = Textbook::hello().policy) const {
    return judge(case_, answers_, reference_policy(policy), decides);
  }
  Value& seen(const char* name) { return answers_[kStep].observed.at(name).front(); }
  std::vector<std::uint64_t>& bits(const char* name) {
    return std::get<ObservedTensor>(seen(name)).tensor.bits;
  }
  void expect_fault(const char* kind, const char* observation, unsigned decides,
                    const Policy& policy = Textbook::hello().policy) const {
    const Judgement judgement = judged(decides, policy);
    ASSERT_EQ(judgement.outcome, Judgement::Outcome::fail) << judgement.reason;
    EXPECT_EQ(judgement.fault->kind, kind);
    EXPECT_EQ(judgement.fault->observation, observation);
  }

  static constexpr std::size_t kStep = 3;
  Case case_;
  std::vector<Answer> answers_;
};

TEST_F(MasterWeightsTest, PassesTheRightAnswers) {
  const Judgement judgement = judged(kParameter | kMaster);
  EXPECT_EQ(judgement.outcome, Judgement::Outcome::pass) << judgement.reason;
  EXPECT_EQ(judgement.single, 4);
}

TEST_F(MasterWeightsTest, ACopyIsThatOfTheMasterThatIsShown) {
  bits("parameter/w")[1] = power_of_two(0, binary16);
  expect_fault("wrong value", "parameter/w", kParameter);
  // Of a wrong master a right copy is what is asked for, where the master is another clause's.
  bits("master/w")[1] = power_of_two(0, binary32);
  EXPECT_EQ(judged(kParameter).outcome, Judgement::Outcome::pass);
  expect_fault("wrong value", "master/w", kParameter | kMaster);
}

TEST_F(MasterWeightsTest, ACopyIsJudgedWhereTheMasterIsNotShown) {
  seen("master/w") = Null{};
  EXPECT_EQ(judged(kParameter | kMaster).outcome, Judgement::Outcome::pass);
  bits("parameter/w")[1] = power_of_two(0, binary16);
  expect_fault("wrong value", "parameter/w", kParameter | kMaster);
  seen("parameter/w") = Null{};
  EXPECT_EQ(judged(kParameter | kMaster).outcome, Judgement::Outcome::not_judged);
}

TEST_F(MasterWeightsTest, OddsAreThoseOfAllCopiesOfAMaster) {
  play(std::vector<std::int64_t>(64, 1));
  std::vector<std::uint64_t>& copies = bits("parameter/w");
  const auto with_ups = [&](std::size_t ups) {
    for (std::size_t i = 0; i < copies.size(); ++i)
      copies[i] = power_of_two(0, binary16) + (i < ups ? 1 : 0);
  };
  for (const std::size_t ups : {9, 16, 25}) {
    with_ups(ups);
    const Judgement judgement = judged(kOdds, stochastic());
    EXPECT_EQ(judgement.outcome, Judgement::Outcome::pass) << ups;
    EXPECT_EQ(judgement.patterns, 1);
  }
  for (const std::size_t ups : {0, 45, 64}) {
    with_ups(ups);
    // (3/4)^64 is no less than 10^-8.
    if (ups == 0)
      EXPECT_EQ(judged(kOdds, stochastic()).outcome, Judgement::Outcome::pass);
    else
      expect_fault("wrong odds", "parameter/w", kOdds, stochastic());
  }
  // Without the declaration every copy is RN.
  with_ups(16);
  expect_fault("wrong value", "parameter/w", kOdds);
  // A number that is no neighbour.
  copies[3] += 5;
  expect_fault("wrong value", "parameter/w", kOdds, stochastic());
}

TEST(RoundedUp, CountsByMasters) {
  const auto of = [](const reference::NumberFormat& f, std::int64_t integer, int exponent) {
    return Admissible::of(f, dyadic(integer, exponent, f));
  };
  // 1 + 1/4 ulp, -(1 + 3/4 ulp), a number of the copies, an inf.
  const std::vector<Admissible> masters = {of(binary32, 4097, -12), of(binary32, -4099, -12),
                                           of(binary32, 4097, -12), of(binary32, 1, 0),
                                           Admissible::of(binary32, binary32.infinity())};
  const std::vector<Admissible> copies = {of(binary16, 1025, -10), of(binary16, -1, 0),
                                          of(binary16, 1, 0), of(binary16, 1, 0),
                                          Admissible::of(binary16, binary16.infinity())};
  const std::vector<RoundedUp> all = count_rounded_up(masters, copies);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].ups, 1);
  EXPECT_EQ(all[0].roundings, 2);
  EXPECT_EQ(all[0].chance, reference::Rational(1) / reference::Rational(4));
  EXPECT_EQ(all[1].ups, 1);
  EXPECT_EQ(all[1].chance, reference::Rational(1) / reference::Rational(4));
  EXPECT_EQ(all[1].first, 1u);
  // Which of two masters was rounded is not known.
  Admissible either = masters[0];
  either.add(masters[1]);
  EXPECT_TRUE(count_rounded_up({either}, {copies[0]}).empty());
}

// Micikevicius et al., section 3.1: 2^12 steps of 2^-12 on 1, which binary16 loses one by one.
TEST(MasterWeights, FourThousandSmallSteps) {
  CaseBuilder builder;
  builder.scaler({}).optimizer(
      master_sgd({{"w", vector({power_of_two(0, binary16)}, binary16), ""}}, -12));
  for (int i = 0; i < 4096; ++i)
    builder.backward({{"w", vector({dyadic(-1, 0, binary16)}, binary16)}}).finish_window("o");
  builder.add(Observe{}).observe({"parameter/w"});
  const Case long_case = builder.done();
  InProcess textbook = textbook_in_process();
  const std::vector<Answer> answers = textbook.play(long_case).answers;
  const auto copy = [](const std::vector<Answer>& all) {
    return std::get<ObservedTensor>(all.back().observed.at("parameter/w").front()).tensor.bits[0];
  };
  EXPECT_EQ(copy(answers), power_of_two(1, binary16));
  const reference::Policy policy = reference_policy(Textbook::hello().policy);
  EXPECT_EQ(judge(long_case, answers, policy, kParameter).outcome, Judgement::Outcome::pass);
  const BuiltIn* none = find_built_in("mutant:no-master");
  InProcess mutant(none->hello(), none->make);
  const std::vector<Answer> wrong = mutant.play(long_case).answers;
  EXPECT_EQ(copy(wrong), power_of_two(0, binary16));
  EXPECT_EQ(judge(long_case, wrong, policy, kParameter).outcome, Judgement::Outcome::fail);
}

TEST_F(MasterWeightsTest, AMasterIsOneOfAParameterThatHasOne) {
  EXPECT_NO_THROW(check_case(case_));
  std::get<MakeOptimizer>(case_.steps[1].action).master_weights = false;
  try {
    check_case(case_);
    ADD_FAILURE();
  } catch (const reference::BadSession& error) {
    EXPECT_STREQ(error.what(),
                 "steps[3].observe: expected the master of a parameter that has one, found "
                 "master/w");
  }
}

TEST_F(MasterWeightsTest, OnlyCopiesThatAreRoundedByChanceMayDiffer) {
  using reference::Policy;
  const auto random = random_observations(case_, reference_policy(stochastic()));
  EXPECT_EQ(random, std::set<std::string>{"parameter/w"});
  EXPECT_TRUE(random_observations(case_, Policy{}).empty());
  const Reply first{Reply::Kind::answered, "", "", answers_};
  bits("parameter/w")[0] ^= 1;
  Reply second{Reply::Kind::answered, "", "", answers_};
  EXPECT_TRUE(is_same(first, second, random));
  EXPECT_FALSE(is_same(first, second, {}));
  bits("master/w")[0] ^= 1;
  second.answers = answers_;
  EXPECT_FALSE(is_same(first, second, random));
  std::get<MakeOptimizer>(case_.steps[1].action).master_weights = false;
  EXPECT_TRUE(random_observations(case_, reference_policy(stochastic())).empty());
}

}  // namespace
}  // namespace ampcheck::properties
