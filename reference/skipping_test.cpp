#include "reference/skipping.hpp"

#include <gtest/gtest.h>

namespace ampcheck::reference {
namespace {

constexpr Verdict kClean = Verdict::clean, kOverflow = Verdict::overflow,
                  kUnknown = Verdict::unknown;

TEST(Verdict, TheWorseOfTwoHolds) {
  EXPECT_EQ(kClean, worse(kClean, kClean));
  for (const Verdict other : {kClean, kUnknown, kOverflow}) {
    EXPECT_EQ(kOverflow, worse(kOverflow, other));
    EXPECT_EQ(kOverflow, worse(other, kOverflow));
  }
  EXPECT_EQ(kUnknown, worse(kClean, kUnknown));
  EXPECT_EQ(kUnknown, worse(kUnknown, kClean));
}

TEST(Verdict, HangsOnWhatMayBeFinite) {
  const Admissible one = Admissible::of(binary32, 0x3f800000);
  const Admissible inf = Admissible::of(binary32, binary32.infinity());
  Admissible either = one;
  either.add(binary32.infinity());
  EXPECT_EQ(kClean, verdict_on({}));
  EXPECT_EQ(kClean, verdict_on({one, one}));
  EXPECT_EQ(kUnknown, verdict_on({either, one}));
  EXPECT_EQ(kOverflow, verdict_on({one, inf}));
  EXPECT_EQ(kOverflow, verdict_on({either, inf}));
  EXPECT_EQ(kOverflow, verdict_on({Admissible::nan(binary32)}));
}

}  // namespace
}  // namespace ampcheck::reference
