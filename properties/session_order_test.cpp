// What is misuse, and what only looks like it.
#include "properties/session_order.hpp"

#include <gtest/gtest.h>

#include "properties/generators/case_builder.hpp"
#include "reference/bad_session.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

struct SessionOrderTest : testing::Test {
  SessionOrderTest() {
    builder.scaler({}).sgd("o", {zeros("w", 1, binary32)}).sgd("p", {zeros("v", 1, binary32)});
  }

  SessionOrderTest& micro_batch(const std::string& parameter = "w", bool last = true) {
    builder.backward({{parameter, vector({0}, binary32)}}, last);
    return *this;
  }

  SessionOrderTest& tokens() {
    subject::TokenWindow window;
    window.parameter = "w";
    builder.add(std::move(window));
    return *this;
  }

  // What the last step is refused with, those before it being in order; "" where it is in order.
  std::string refusal() {
    const Case made = builder.done();
    SessionOrder order;
    for (std::size_t i = 0; i + 1 < made.steps.size(); ++i) order.check(made.steps[i]);
    try {
      order.check(made.steps.back());
    } catch (const reference::BadSession& error) {
      return error.what();
    }
    return "";
  }

  const Scalar one = scalar_power_of_two(0, binary32);
  CaseBuilder builder;
};

TEST_F(SessionOrderTest, TakesWindowsOfEveryKind) {
  micro_batch("w", false).micro_batch("w", true);
  builder.unscale("o").clip_value({"o"}, one).clip_norm({"o"}, one).finish_window("o");
  micro_batch();
  builder.finish_window("o").save_load();
  tokens();
  builder.finish_window("o");
  micro_batch();
  builder.step("o").zero_grad("o").update();
  micro_batch();
  EXPECT_EQ("", refusal());
}

TEST_F(SessionOrderTest, AnOptimizerMayStepWithoutTheOther) {
  micro_batch("v");
  builder.step("p").update();
  micro_batch("w");
  builder.step("o").update();
  EXPECT_EQ("", refusal());
}

TEST_F(SessionOrderTest, RefusesAnUpdateWithNothingToJudge) {
  const std::string expected =
      "op: expected an update after a gradient was unscaled or stepped on, found none";
  builder.update();
  EXPECT_EQ(expected, refusal());
  builder = CaseBuilder();
  builder.scaler({}).sgd("o", {zeros("w", 1, binary32)}).sgd("p", {zeros("v", 1, binary32)});
  micro_batch("w");
  builder.step("p").update();
  EXPECT_EQ(expected, refusal()) << "the optimizer that was stepped has no gradient";
}

TEST_F(SessionOrderTest, RefusesASecondUpdate) {
  micro_batch();
  builder.step("o").update().update();
  EXPECT_NE("", refusal());
}

TEST_F(SessionOrderTest, SavingClearsTheGradients) {
  micro_batch();
  builder.step("o").update().save_load();
  micro_batch();
  EXPECT_EQ("", refusal());
}

TEST_F(SessionOrderTest, RefusesToAddToGradientsOfAnEndedWindow) {
  micro_batch();
  builder.step("o").update();
  micro_batch();
  EXPECT_EQ(
      "coefficients.w: expected a gradient that was cleared since its window ended, found that of "
      "w",
      refusal());
}

TEST_F(SessionOrderTest, RefusesToAddToGradientsThatNobodyUsed) {
  micro_batch("w", false).micro_batch("v");
  builder.step("p").update();
  tokens();
  EXPECT_EQ(
      "parameter: expected a gradient that was cleared since its window ended, found that of w",
      refusal());
}

TEST_F(SessionOrderTest, KnowsAGradientByItsOtherName) {
  builder.sgd("q", {{"u", {}, "w"}});
  micro_batch("u");
  builder.step("o").update();
  micro_batch("w");
  EXPECT_NE("", refusal());
}

TEST_F(SessionOrderTest, ClearsAGradientByItsOtherName) {
  builder.sgd("q", {{"u", {}, "w"}});
  micro_batch("u");
  builder.finish_window("o");
  micro_batch("u");
  EXPECT_EQ("", refusal());
}

TEST_F(SessionOrderTest, RefusesMicroBatchesAfterTheLast) {
  micro_batch().micro_batch();
  EXPECT_EQ("op: expected the end of the window, which had its last micro-batch, found backward",
            refusal());
}

TEST_F(SessionOrderTest, RefusesMicroBatchesAfterUnscale) {
  micro_batch("v");
  builder.unscale("p");
  micro_batch();
  EXPECT_EQ("op: expected the end of the window, which had its last micro-batch, found backward",
            refusal());
}

TEST_F(SessionOrderTest, RefusesMicroBatchesAfterAStep) {
  micro_batch();
  builder.step("o").zero_grad("o");
  micro_batch();
  EXPECT_NE("", refusal());
}

TEST_F(SessionOrderTest, RefusesTokensBesideMicroBatches) {
  micro_batch("v", false).tokens();
  EXPECT_EQ("op: expected a window without other micro-batches, found token_window", refusal());
}

TEST_F(SessionOrderTest, RefusesTheEndOfAWindowThatGoesOn) {
  const auto refused = [this](auto end) {
    builder = CaseBuilder();
    builder.scaler({}).sgd("o", {zeros("w", 1, binary32)});
    micro_batch("w", false);
    end(builder);
    return refusal();
  };
  const std::string expected =
      "op: expected the micro-batches of the window, up to the last one, found its end";
  EXPECT_EQ(expected, refused([](CaseBuilder& b) { b.unscale("o"); }));
  EXPECT_EQ(expected, refused([](CaseBuilder& b) { b.step("o"); }));
  EXPECT_EQ(expected, refused([](CaseBuilder& b) { b.update(); }));
}

TEST_F(SessionOrderTest, RefusesASecondUnscale) {
  micro_batch();
  builder.unscale("o").unscale("o");
  EXPECT_EQ("op: expected one unscale in a window, before the step, found a second", refusal());
}

TEST_F(SessionOrderTest, RefusesUnscaleAfterTheStep) {
  micro_batch();
  builder.step("o").unscale("o");
  EXPECT_EQ("op: expected one unscale in a window, before the step, found one after it", refusal());
}

TEST_F(SessionOrderTest, RefusesClipsOfNothing) {
  builder.clip_norm({}, one);
  EXPECT_EQ("optimizers: expected at least one, found none", refusal());
}

TEST_F(SessionOrderTest, RefusesClipsElsewhereThanBetweenUnscaleAndStep) {
  micro_batch();
  builder.unscale("o").clip_value({"o", "p"}, one);
  EXPECT_EQ(
      "op: expected a clip between unscale and step of optimizer p, found one before or after",
      refusal());
  builder = CaseBuilder();
  builder.scaler({}).sgd("o", {zeros("w", 1, binary32)});
  micro_batch();
  builder.unscale("o").step("o").clip_norm({"o"}, one);
  EXPECT_NE("", refusal());
}

TEST_F(SessionOrderTest, RefusesASecondStep) {
  micro_batch();
  builder.step("o").step("o");
  EXPECT_EQ("op: expected an update after the step of optimizer o, found step", refusal());
}

TEST_F(SessionOrderTest, RefusesToSaveInsideOfAWindow) {
  micro_batch();
  builder.save_load();
  EXPECT_EQ("op: expected an update before the window is left, found save_load", refusal());
}

TEST_F(SessionOrderTest, RefusesToSaveBeforeTheUpdate) {
  micro_batch();
  builder.unscale("o").save_load();
  EXPECT_NE("", refusal());
}

TEST_F(SessionOrderTest, RefusesAWindowWithoutMicroBatches) {
  builder.unscale("o");
  EXPECT_EQ("op: expected the micro-batches of the window, up to the last one, found its end",
            refusal());
}

TEST_F(SessionOrderTest, RefusesToStepOnGradientsOfAnEndedWindow) {
  micro_batch();
  builder.step("o").update();
  micro_batch("v");
  builder.step("o");
  EXPECT_EQ(
      "optimizer: expected gradients that were cleared since their window ended, found that of w",
      refusal());
}

// A library steps on zeros, which momentum and decay show; without a gradient it does not.
TEST_F(SessionOrderTest, RefusesToStepOnZerosThatZeroGradLeft) {
  micro_batch();
  builder.step("o").update().zero_grad("o", false);
  micro_batch("v");
  builder.step("o");
  EXPECT_EQ(
      "optimizer: expected a gradient in this window wherever zero_grad left zeros, found none of "
      "w",
      refusal());
}

TEST_F(SessionOrderTest, RefusesASessionThatDoesNotBeginWithTheScaler) {
  builder = CaseBuilder();
  builder.sgd("o", {zeros("w", 1, binary32)});
  EXPECT_EQ("op: expected the scaler before all else, found optimizer", refusal());
}

}  // namespace
}  // namespace ampcheck::properties
