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
  EXPECT_EQ(shown_by("state/layer/0/exp_avg"), Shown::tensor);
  for (const std::string_view name :
       {"", "Scale", "gradient", "gradient/", "state/w", "state/w/", "state//m"})
    EXPECT_EQ(shown_by(name), Shown::nothing_known) << name;
}

TEST(Names, OperationsComeInTheOrderOfActions) {
  for (std::size_t i = 0; i < kOperations.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(kOperations[i], kOperations[j]);
  EXPECT_EQ(kOperations[Action(Unscale{}).index()], "unscale");
}

}  // namespace
}  // namespace ampcheck::subject
