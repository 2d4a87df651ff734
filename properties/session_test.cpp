// Cases that make no sense are refused, and the message says where and what was expected.
#include "properties/session.hpp"

#include <gtest/gtest.h>

#include "properties/generators/case_builder.hpp"
#include "reference/training_window.hpp"

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

TEST(CheckCase, RefusesCoefficientsOfAnotherShape) {
  CaseBuilder builder;
  builder.sgd("o", {zeros("w", 2, binary32)}).backward({{"w", {&binary32, {1, 2}, {0, 0}}}});
  EXPECT_EQ(
      "steps[1] (backward): coefficients.w: shape [1, 2], expected that of the parameter, [2]",
      refusal(builder.done()));
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
  builder.sgd("o", {zeros("w", 2, binary32)}).add(std::move(window));
  EXPECT_EQ("steps[1] (token_window): ranks: 2 lists, expected 1, the ranks of the case",
            refusal(builder.done()));
}

}  // namespace
}  // namespace ampcheck::properties
