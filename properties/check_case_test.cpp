// Cases that make no sense are refused, and the message says where and what was expected.
#include "properties/check_case.hpp"

#include <gtest/gtest.h>

#include "properties/generators/case_builder.hpp"
#include "reference/bad_session.hpp"

namespace ampcheck::properties {
namespace {

using reference::binary32;

std::string refusal(const Case& made) {
  try {
    check_case(made);
  } catch (const reference::BadSession& error) {
    return error.what();
  }
  return "";
}

TEST(CheckCase, RefusesACaseOfNothing) {
  EXPECT_EQ("steps: expected at least one, found none", refusal(CaseBuilder().done()));
}

TEST(CheckCase, RefusesCoefficientsOfAnotherShape) {
  CaseBuilder builder;
  builder.scaler({})
      .sgd("o", {zeros("w", 2, binary32)})
      .backward({{"w", {&binary32, {1, 2}, {0, 0}}}});
  EXPECT_EQ(
      "steps[2].coefficients.w.values.shape: expected that of the parameter, [2], found [1,2]",
      refusal(builder.done()));
}

TEST(CheckCase, RefusesCoefficientsThatTheParameterCannotHold) {
  const auto refused = [](const NumberFormat& parameter, const NumberFormat& delivered) {
    CaseBuilder builder;
    builder.scaler({}).sgd("o", {zeros("w", 1, parameter)});
    builder.backward({{"w", vector({0}, binary32), &delivered}});
    return refusal(builder.done());
  };
  EXPECT_EQ(
      "steps[2].coefficients.w.format: expected one whose numbers are all numbers of binary16, the "
      "parameter's, found binary32",
      refused(reference::binary16, binary32));
  // Fewer bits, but a wider range; the same range from below only.
  EXPECT_NE("", refused(reference::binary16, reference::bfloat16));
  EXPECT_NE("", refused(reference::float8_e4m3fn, reference::float8_e5m2));
  EXPECT_EQ("", refused(reference::binary16, reference::float8_e5m2));
  EXPECT_EQ("", refused(reference::bfloat16, reference::float8_e4m3fn));
  EXPECT_EQ("", refused(binary32, binary32));
}

TEST(CheckCase, KnowsTheShapeOfAnotherName) {
  CaseBuilder builder;
  builder.scaler({})
      .sgd("o", {zeros("w", 2, binary32)})
      .sgd("other", {{"v", {}, "w"}})
      .backward({{"v", {&binary32, {2}, {0, 0}}}});
  EXPECT_EQ("", refusal(builder.done()));
}

TEST(CheckCase, RefusesWindowsOfMoreRanksThanTheCase) {
  subject::TokenWindow window;
  window.parameter = "w";
  window.ranks = {{}, {}};
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 2, binary32)}).add(std::move(window));
  EXPECT_EQ("steps[2].ranks: expected 1 lists, the ranks of the case, found 2",
            refusal(builder.done()));
}

TEST(CheckCase, RefusesTokensWithoutAColumnAnElement) {
  subject::TokenWindow window;
  window.parameter = "w";
  window.ranks = {{{{0}, {1}, vector({0}, binary32), {&binary32, {1, 3}, {0, 0, 0}}}}};
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 2, binary32)}).add(std::move(window));
  EXPECT_EQ(
      "steps[2].ranks[0][0].coefficients.shape: expected [1,2], a row a label, a column an element "
      "of w, found [1,3]",
      refusal(builder.done()));
}

TEST(CheckCase, RefusesSettingsThatALibraryMayRefuse) {
  const auto scaler = [](int growth, int backoff) {
    ScalerPlan plan;
    plan.growth_factor = scalar_power_of_two(growth, binary32);
    plan.backoff_factor = scalar_power_of_two(backoff, binary32);
    CaseBuilder builder;
    return refusal(builder.scaler(plan).done());
  };
  EXPECT_EQ("", scaler(1, -1));
  EXPECT_EQ("steps[0].growth_factor: expected a number above 1, found 3f800000 = 0x1p+0 (binary32)",
            scaler(0, -1));
  EXPECT_EQ(
      "steps[0].backoff_factor: expected a number below 1, found 3f800000 = 0x1p+0 (binary32)",
      scaler(1, 0));
  CaseBuilder builder;
  builder.scaler({}).optimizer(
      {"o", subject::OptimizerKind::sgd, {}, {{"lr", {&binary32, 0xbf800000}}}, {}});
  EXPECT_EQ(
      "steps[1].hyper.lr: expected a number of at least 0, found bf800000 = -0x1p+0 (binary32)",
      refusal(builder.done()));
}

}  // namespace
}  // namespace ampcheck::properties
