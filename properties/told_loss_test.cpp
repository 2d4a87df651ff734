#include "properties/told_loss.hpp"

#include <gtest/gtest.h>

#include "properties/clause.hpp"
#include "properties/counted_tokens.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::binary32;
using reference::binary64;

constexpr std::int64_t kIgnored = -100;

// One micro-batch of single tokens with the losses 1, 2, 3, …
TokenWindow window_of(std::vector<std::int64_t> labels, std::int64_t rows = 1) {
  const std::int64_t tokens = std::ssize(labels);
  TokenMicroBatch made;
  made.labels = std::move(labels);
  made.rows = rows;
  made.times.assign(made.labels.size(), 1);
  made.losses = {&binary32, {tokens}, {}};
  for (std::int64_t t = 1; t <= tokens; ++t) made.losses.bits.push_back(dyadic(t, 0, binary32));
  made.coefficients = {&binary32, {tokens, 1}, made.losses.bits};
  TokenWindow window;
  window.parameter = "w";
  window.ranks = {{made}};
  return window;
}

Judgement judged(const TokenWindow& window, const Value& told) {
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 1, binary32)}).add(window).observe({"loss"});
  const Case made = builder.done();
  std::vector<Answer> answers(3);
  answers.back().observed["loss"] = {told};
  return judge(made, answers, reference_policy(Textbook::hello().policy), kLoss);
}

bool holds(const TokenWindow& window, const Value& told) {
  return judged(window, told).outcome == Judgement::Outcome::pass;
}

Scalar told(std::int64_t quarters) { return scalar(dyadic(quarters, -2, binary32), binary32); }

TEST(ToldLoss, IsTheMeanOfWhatCounts) {
  EXPECT_TRUE(holds(window_of({0, 1}), told(6)));                   // (1 + 2) / 2
  EXPECT_FALSE(holds(window_of({0, 1}), told(48)));                 // under the scale 8
  EXPECT_TRUE(holds(window_of({0, kIgnored, 1, 2, 3}), told(13)));  // (1 + 3 + 4 + 5) / 4
}

TEST(ToldLoss, OfNothingIsZeroNanOrNull) {
  const TokenWindow nothing = window_of({kIgnored});
  for (const Value& value :
       {Value(told(0)), Value(scalar(binary32.nan(), binary32)), Value(Null{})})
    EXPECT_TRUE(holds(nothing, value));
  EXPECT_FALSE(holds(nothing, told(4)));
  EXPECT_EQ(judged(window_of({0}), Null{}).outcome, Judgement::Outcome::not_judged);
}

// Thirds in binary64 are no numbers of binary32; 2^-17 more is no rounding.
TEST(ToldLoss, MayBeOfAWiderFormat) {
  const TokenWindow window = window_of({0, 1, kIgnored, 2});  // (1 + 2 + 4) / 3
  EXPECT_TRUE(holds(window, scalar(0x4002aaaaaaaaaaab, binary64)));
  EXPECT_FALSE(holds(window, scalar(0x4002aab000000000, binary64)));
}

// Of three labels the last two are predicted, by the first two positions: (1 + 2) / 2; of two texts
// of two the second ones, by the first and third position.
TEST(ToldLoss, IsThatOfShiftedLabels) {
  TokenWindow window = window_of({0, 1, 2});
  window.shift = 1;
  EXPECT_TRUE(holds(window, told(6)));
  window = window_of({kIgnored, 1, 3, 2}, 2);
  window.shift = 1;
  EXPECT_TRUE(holds(window, told(8)));
  EXPECT_EQ(targets_of(window, window.ranks[0][0]),
            (std::vector<std::int64_t>{1, kIgnored, 2, kIgnored}));
}

// (1/2·1 + 3/2·2) / 2.
TEST(ToldLoss, IsWeightedByItsClasses) {
  TokenWindow window = window_of({0, 1});
  window.class_weights = vector({dyadic(1, -1, binary32), dyadic(3, -1, binary32)}, binary32);
  EXPECT_TRUE(holds(window, told(7)));
  EXPECT_EQ(divisor_of(window).exact, reference::Rational(2));
  window.ignore_index = 0;  // 2
  EXPECT_TRUE(holds(window, told(8)));
}

// The loss of a micro-batch under the scale 8, divided by 4 in its loop.
TEST(ToldLoss, OfAMicroBatchIsUnscaled) {
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 1, binary32)});
  builder.backward({{"w", vector({dyadic(3, 0, binary32)}, binary32)}}).divide(4).observe({"loss"});
  const Case made = builder.done();
  std::vector<Answer> answers(3);
  const auto outcome = [&](const Value& value) {
    answers.back().observed["loss"] = {value};
    return judge(made, answers, reference_policy(Textbook::hello().policy), kLoss).outcome;
  };
  for (const std::int64_t quarters : {4, 1})
    EXPECT_EQ(outcome(told(quarters)), Judgement::Outcome::pass);
  for (const std::int64_t quarters : {32, 8, 2, 16})
    EXPECT_EQ(outcome(told(quarters)), Judgement::Outcome::fail);
  EXPECT_EQ(outcome(Null{}), Judgement::Outcome::not_judged);
}

}  // namespace
}  // namespace ampcheck::properties
