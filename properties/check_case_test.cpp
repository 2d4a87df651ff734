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
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 1, reference::binary16)});
  builder.backward({{"w", vector({0}, binary32)}});
  EXPECT_EQ(
      "steps[2].coefficients.w.values.format: expected one whose numbers are all numbers of "
      "binary16, the parameter's, found binary32",
      refusal(builder.done()));
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

TEST(CheckCase, RefusesAnotherNameOfNothing) {
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {{"v", {}, "w"}});
  EXPECT_EQ("steps[1].parameters.v.same_as: expected a parameter that was made before, found w",
            refusal(builder.done()));
}

TEST(CheckCase, RefusesNamesThatObservationsCannotHold) {
  const auto refused = [](const std::string& optimizer, const std::string& parameter) {
    CaseBuilder builder;
    builder.scaler({}).sgd(optimizer, {zeros(parameter, 1, binary32)});
    return refusal(builder.done());
  };
  EXPECT_EQ("", refused("o", "w"));
  EXPECT_EQ("steps[1].name: expected a name without '/', found \"a/b\"", refused("a/b", "w"));
  EXPECT_EQ("steps[1].parameters.w/m.name: expected a name without '/', found \"w/m\"",
            refused("o", "w/m"));
  EXPECT_EQ("steps[1].name: expected a name without '/', found \"\"", refused("", "w"));
}

TEST(CheckCase, RefusesAnOptimizerOfNothing) {
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {});
  EXPECT_EQ("steps[1].parameters: expected at least one, found none", refusal(builder.done()));
}

// Libraries keep settings in binary32.
TEST(CheckCase, RefusesSettingsBeyondBinary32) {
  const Scalar most = {&reference::binary64, 0x47efffffe0000000};   // 2^128 - 2^104
  const Scalar above = {&reference::binary64, 0x47efffffefffffff};  // just below half way to 2^128
  const Scalar half_way = {&reference::binary64, 0x47effffff0000000};
  const auto rate = [](const Scalar& x) {
    CaseBuilder builder;
    builder.scaler({}).optimizer(
        {"o", subject::OptimizerKind::sgd, {}, {{"lr", x}}, {zeros("w", 1, binary32)}});
    return refusal(builder.done());
  };
  const auto limit = [](const Scalar& x, bool by_norm) {
    CaseBuilder builder;
    builder.scaler({}).sgd("o", {zeros("w", 1, binary32)});
    builder.backward({{"w", vector({0}, binary32)}}).unscale("o");
    by_norm ? builder.clip_norm({"o"}, x) : builder.clip_value({"o"}, x);
    return refusal(builder.done());
  };
  for (const Scalar& x : {most, above}) {
    EXPECT_EQ("", rate(x));
    EXPECT_EQ("", limit(x, true));
    EXPECT_EQ("", limit(x, false));
  }
  EXPECT_EQ(
      "steps[1].hyper.lr: expected a number that is finite in binary32, found 47effffff0000000 = "
      "0x1.ffffffp+127 (binary64)",
      rate(half_way));
  EXPECT_NE("", limit(half_way, true));
  EXPECT_NE("", limit(half_way, false));
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

// One token of each of these labels, with these weights.
std::string refusal_of(std::vector<std::int64_t> labels, const Tensor& weights, std::int64_t rows,
                       std::int64_t shift, std::int64_t times = 1) {
  const auto tokens = static_cast<std::int64_t>(labels.size());
  const std::vector<std::uint64_t> zero(labels.size(), 0);
  subject::TokenWindow window;
  window.parameter = "w";
  window.class_weights = weights;
  window.shift = shift;
  window.ranks = {{{std::move(labels),
                    std::vector(zero.size(), times),
                    vector(zero, binary32),
                    {&binary32, {tokens, 1}, zero},
                    rows}}};
  CaseBuilder builder;
  builder.scaler({}).sgd("o", {zeros("w", 1, binary32)}).add(std::move(window));
  return refusal(builder.done());
}

TEST(CheckCase, RefusesClassWeightsThatMakeNoSense) {
  const std::uint64_t one = dyadic(1, 0, binary32);
  EXPECT_EQ("", refusal_of({0, 1, -100}, vector({one, one}, binary32), 1, 0));
  for (const std::int64_t label : {2, -1})
    EXPECT_EQ(
        "steps[2].labels: expected the ignore index, or 0 to 1, as there are class weights, "
        "found " +
            std::to_string(label),
        refusal_of({0, label}, vector({one, one}, binary32), 1, 0));
  for (const std::uint64_t bits :
       {std::uint64_t{0}, one | binary32.sign_bit(), binary32.nan(), binary32.infinity()})
    EXPECT_TRUE(
        refusal_of({0}, vector({one, bits}, binary32), 1, 0)
            .starts_with("steps[2].class_weights: expected finite numbers above 0, found "));
  EXPECT_EQ("steps[2].class_weights.format: expected binary32, found binary64",
            refusal_of({0}, vector({0}, reference::binary64), 1, 0));
  EXPECT_EQ("steps[2].class_weights.shape: expected one dimension, found 2",
            refusal_of({0}, {&binary32, {1, 1}, {one}}, 1, 0));
}

TEST(CheckCase, RefusesTextsOfUnequalLength) {
  EXPECT_EQ("", refusal_of({0, 1, 2, 3}, {}, 2, 1));
  EXPECT_EQ("steps[2].rows: expected a number that divides that of the labels, found 3",
            refusal_of({0, 1, 2, 3}, {}, 3, 1));
  EXPECT_EQ("", refusal_of({0, 1}, {}, 1, 0, 2));
  EXPECT_EQ("steps[2].times: expected 1 everywhere under a shift, found more or less",
            refusal_of({0, 1}, {}, 1, 1, 2));
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
      "steps[0].backoff_factor: expected a number above 0 and below 1, found 3f800000 = 0x1p+0 "
      "(binary32)",
      scaler(1, 0));
  CaseBuilder builder;
  builder.scaler({}).optimizer({"o",
                                subject::OptimizerKind::sgd,
                                {},
                                {{"lr", {&binary32, 0xbf800000}}},
                                {zeros("w", 1, binary32)}});
  EXPECT_EQ(
      "steps[1].hyper.lr: expected a number of at least 0, found bf800000 = -0x1p+0 (binary32)",
      refusal(builder.done()));
}

}  // namespace
}  // namespace ampcheck::properties
