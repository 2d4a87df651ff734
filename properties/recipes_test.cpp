#include "properties/recipes.hpp"

#include <gtest/gtest.h>

#include "properties/applicability.hpp"
#include "properties/check_case.hpp"
#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/judge.hpp"
#include "reference/bad_session.hpp"
#include "subject/answer_json.hpp"
#include "subject/case_json.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::binary32;
using reference::binary64;

// One of each kind: 64/16, a decay of 2^-11 for 7·9 of 64, a ramp to 4 micro-batches in two epochs
// of seven, and ×32 after the warm-up.
Case every_recipe() {
  CaseBuilder builder;
  Recipe recipe;
  recipe.batch = 16;
  recipe.nominal_batch = 64;
  builder.add(recipe).observe({"accumulate"});
  recipe.kind = RecipeKind::weight_decay;
  recipe.batch = 9;
  recipe.weight_decay = scalar_power_of_two(-11, binary64);
  builder.add(recipe).observe({"weight_decay"});
  Recipe ramp;
  ramp.kind = RecipeKind::warm_up;
  ramp.batch = 16;
  ramp.nominal_batch = 64;
  ramp.warm_up = 6;
  ramp.micro_batches = 7;
  ramp.epochs = 2;
  builder.add(ramp).observe({"window_ends"});
  Recipe rate;
  rate.kind = RecipeKind::linear_lr;
  rate.base_batch = 256;
  rate.batch = 8192;
  rate.lr = scalar_power_of_two(-3, binary32);
  rate.warm_up = 4;
  rate.step = 4;
  builder.add(rate).observe({"learning_rate"});
  return builder.done();
}

class RecipesTest : public testing::Test {
 protected:
  RecipesTest() : case_(every_recipe()) {
    case_.id = "recipes";
    InProcess textbook = textbook_in_process();
    answers_ = textbook.play(case_).answers;
  }
  Value& seen(std::size_t step) { return answers_[step].observed.begin()->second.front(); }
  Judgement judged() const { return judge(case_, answers_, reference::Policy{}, kRecipe); }
  void expect_fault(const char* kind, std::size_t step) const {
    const Judgement judgement = judged();
    ASSERT_EQ(judgement.outcome, Judgement::Outcome::fail) << judgement.reason;
    EXPECT_EQ(judgement.fault->kind, kind);
    EXPECT_EQ(judgement.fault->step, step);
  }

  Case case_;
  std::vector<Answer> answers_;
};

TEST_F(RecipesTest, TheTextbookIsRight) {
  const Judgement judgement = judged();
  EXPECT_EQ(judgement.outcome, Judgement::Outcome::pass) << judgement.reason;
  EXPECT_EQ(judgement.single, 3);  // 7·9 of 64 may be divided by, and rounded
  EXPECT_EQ(std::get<std::int64_t>(seen(0)), 4);
  // Asked for are 1, 2, 2, 2, 3, 4, 4 (1.5 and 3.5 are rounded to 2 and 4, 2.5 to 2), and then 4.
  // The first epoch cuts its last window after 6, the second after 13.
  EXPECT_EQ(std::get<Integers>(seen(2)).values, (std::vector<std::int64_t>{0, 2, 6, 10, 13}));
  EXPECT_EQ(std::get<Scalar>(seen(3)), scalar_power_of_two(2, binary64));
}

TEST_F(RecipesTest, WrongOnesAreNot) {
  seen(0) = std::int64_t{5};
  expect_fault("wrong count", 0);
  seen(0) = std::int64_t{4};
  std::get<Integers>(seen(2)).values.pop_back();
  expect_fault("wrong count", 2);
  std::get<Integers>(seen(2)).values.push_back(13);
  seen(3) = scalar(dyadic((std::int64_t{1} << 52) + 1, -50, binary64), binary64);
  expect_fault("wrong value", 3);
  seen(3) = scalar_power_of_two(2, binary32);
  EXPECT_EQ(judged().outcome, Judgement::Outcome::pass);
  seen(1) = Null{};
  EXPECT_EQ(judged().outcome, Judgement::Outcome::not_judged);
}

TEST_F(RecipesTest, TravelAsText) {
  EXPECT_EQ(parse_case(dump_case(case_)), case_);
  const std::string text = dump_answers(case_, answers_);
  EXPECT_NE(text.find(R"("window_ends":[0,2,6,10,13])"), std::string::npos) << text;
  EXPECT_EQ(parse_answers(text, case_), answers_);
  std::string wrong = text;
  wrong.replace(wrong.find("[0,2,6"), 6, "[0,{},6");
  EXPECT_THROW(parse_answers(wrong, case_), std::exception);
  // What a kind has no use for is not written.
  EXPECT_EQ(dump_case(case_).find("\"lr\""), dump_case(case_).rfind("\"lr\""));
}

TEST_F(RecipesTest, AreOfferedOneByOne) {
  Hello hello = Textbook::hello();
  EXPECT_EQ(inapplicable(case_, hello), "");
  std::erase(hello.operations, "recipe_warm_up");
  EXPECT_EQ(inapplicable(case_, hello), "operations without recipe_warm_up");
  std::erase(hello.operations, "recipe");
  EXPECT_EQ(inapplicable(case_, hello), "operations without recipe");
  EXPECT_FALSE(is_required("schedule/linear-lr", {"tokens"}));
}

TEST_F(RecipesTest, HaveSettingsThatMakeSense) {
  EXPECT_NO_THROW(check_case(case_));
  const auto refused = [&](std::size_t step, auto change) {
    Case one = case_;
    change(std::get<Recipe>(one.steps[step].action));
    try {
      check_case(one);
    } catch (const reference::BadSession& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(0, [](Recipe& r) { r.batch = (1 << 24) + 1; }).find("counts up to 2^24"),
            std::string::npos);
  EXPECT_NE(refused(2, [](Recipe& r) { r.epochs = 1429; }).find("at most 10000"),
            std::string::npos);
  EXPECT_NE(refused(1, [](Recipe& r) { r.weight_decay.bits |= binary64.sign_bit(); })
                .find("weight_decay: expected a number of at least 0"),
            std::string::npos);
  EXPECT_NE(refused(3, [](Recipe& r) { r.lr.bits = binary32.infinity(); }).find("lr: expected"),
            std::string::npos);
}

// What another recipe shows is no observation of this one, and a textbook that is asked all the
// same has none.
TEST_F(RecipesTest, ShowTheirOwnNumber) {
  for (std::size_t step = 0; step < 4; ++step)
    for (std::size_t other = 0; other < 4; ++other) {
      Case one = case_;
      one.steps[step].observe = case_.steps[other].observe;
      if (step == other) {
        EXPECT_NO_THROW(check_case(one));
        continue;
      }
      EXPECT_THROW(check_case(one), reference::BadSession);
      const Reply reply = textbook_in_process().play(one);
      ASSERT_EQ(reply.kind, Reply::Kind::answered) << reply.text;
      EXPECT_TRUE(
          std::holds_alternative<Null>(reply.answers[step].observed.begin()->second.front()));
    }
}

}  // namespace
}  // namespace ampcheck::properties
