#include "properties/alike_clips.hpp"

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

// Two windows of two elements, and what the textbook answers; the clip is step 4, then 10.
class AlikeClipsTest : public testing::Test {
 protected:
  Judgement judged(unsigned decides = kAlike) const {
    return judge(case_, answers_, reference_policy(Textbook::hello().policy), decides);
  }
  // `second` are the integers of the second window.
  void play(std::vector<std::int64_t> second, int exponent = 0, int limit = 0) {
    CaseBuilder builder;
    ScalerPlan plan;
    plan.growth_interval = 1;
    builder.scaler(plan).sgd("o", {zeros("w", 2, binary32)});
    const auto window = [&](const std::vector<std::int64_t>& integers, int to) {
      Tensor c = vector({}, binary32);
      for (const std::int64_t x : integers) c.bits.push_back(dyadic(x, exponent, binary32));
      c.shape = {2};
      builder.backward({{"w", c}}).unscale("o");
      builder.clip_norm({"o"}, scalar_power_of_two(to, binary32)).observe({"norm", "gradient/w"});
      builder.finish_window("o");
    };
    window({3, -4}, 0);
    window(second, limit);
    case_ = builder.done();
    answers_ = textbook_in_process().play(case_).answers;
  }
  // The last place of what the second clip shows.
  void change_norm() { std::get<Scalar>(answers_[10].observed.at("norm").front()).bits ^= 1; }
  void change_gradient() {
    std::get<ObservedTensor>(answers_[10].observed.at("gradient/w").front()).tensor.bits[1] ^= 1;
  }

  Case case_;
  std::vector<Answer> answers_;
};

TEST_F(AlikeClipsTest, PassWhereTheyAgree) {
  play({3, -4});
  const Judgement judgement = judged();
  EXPECT_EQ(judgement.outcome, Judgement::Outcome::pass) << judgement.reason;
  EXPECT_EQ(judgement.patterns, 3);  // a norm and two elements of the second
  EXPECT_EQ(judgement.single, 3);
}

TEST_F(AlikeClipsTest, DifferByOneBit) {
  play({3, -4});
  change_norm();
  ASSERT_EQ(judged().outcome, Judgement::Outcome::fail);
  EXPECT_EQ(judged().fault->kind, "not alike");
  EXPECT_EQ(judged().fault->step, 10u);
  EXPECT_EQ(judged().fault->observation, "norm");
  EXPECT_EQ(judged().fault->expected, "40a00000 = 0x1.4p+2 (binary32)");
  change_norm();
  change_gradient();
  ASSERT_EQ(judged().outcome, Judgement::Outcome::fail);
  EXPECT_EQ(judged().fault->observation, "gradient/w");
  EXPECT_EQ(judged().fault->element, 1u);
  EXPECT_EQ(judged(kParameter).outcome, Judgement::Outcome::not_judged);
}

// Nothing is asked of other gradients, of another limit, or where a square may be lost.
TEST_F(AlikeClipsTest, AreOfTheSameGradientsToTheSameLimit) {
  play({4, -3});
  change_norm();
  EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged);
  play({3, -4}, 0, 1);
  change_norm();
  EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged);
  for (const int exponent : {-60, 60}) {
    play({3, -4}, exponent);
    change_norm();
    EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged) << exponent;
  }
}

TEST_F(AlikeClipsTest, MustBeShown) {
  play({3, -4});
  answers_[10].observed["norm"] = {Null{}};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged);
}

}  // namespace
}  // namespace ampcheck::properties
