#include "subject/names.hpp"

#include <gtest/gtest.h>

namespace ampcheck::subject {
namespace {

TEST(Names, WhatIsShownUnderAName) {
  EXPECT_EQ(shown_by("scale"), Shown::scalar);
  EXPECT_EQ(shown_by("growth_count"), Shown::integer);
  EXPECT_EQ(shown_by("found_non_finite"), Shown::boolean);
  EXPECT_EQ(shown_by("gradient/layer/0"), Shown::gradient);
  EXPECT_EQ(shown_by("parameter/w"), Shown::tensor);
  EXPECT_EQ(shown_by("master/w"), Shown::tensor);
  EXPECT_EQ(shown_by("accumulate"), Shown::integer);
  EXPECT_EQ(shown_by("window_ends"), Shown::integers);
  EXPECT_EQ(shown_by("learning_rate"), Shown::scalar);
  EXPECT_EQ(shown_by("state/layer/0/exp_avg"), Shown::tensor);
  for (const std::string_view name :
       {"", "Scale", "gradient", "gradient/", "master/", "state/w", "state/w/", "state//m"})
    EXPECT_EQ(shown_by(name), Shown::nothing_known) << name;
}

// The rules say nothing of gradients without a zero, a sign or a NaN.
TEST(Names, FormatsAreThoseInWhichTheRulesAreJudged) {
  for (const NumberFormat* format : kFormats) {
    EXPECT_EQ(find_format(format->name), format);
    EXPECT_TRUE(format->has_negative_zero() && format->has_nan()) << format->name;
    EXPECT_EQ(format->width % 8, 0) << format->name;
  }
  EXPECT_EQ(find_format("float4_e2m1fn"), nullptr);
  EXPECT_EQ(find_format("tf32"), nullptr);
}

TEST(Names, OperationsComeInTheOrderOfActions) {
  for (std::size_t i = 0; i < kOperations.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(kOperations[i], kOperations[j]);
  EXPECT_EQ(kOperations[Action(Unscale{}).index()], "unscale");
}

}  // namespace
}  // namespace ampcheck::subject
