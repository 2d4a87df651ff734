#include "reference/oracle_tally.hpp"

#include <gtest/gtest.h>

#include "reference/second_oracle.hpp"

namespace ampcheck::reference {
namespace {

const auto kQuestion = [] { return std::string("question"); };

TEST(OracleTally, CountsWhoeverDisagrees) {
  OracleTally tally;
  tally.compare(binary16, 1, 1, 1, kQuestion);
  EXPECT_EQ(0, tally.disagreements);
  tally.compare(binary16, 0x3c00, 0x3c00, 0x3c01, kQuestion);
  tally.compare(binary16, 1, 2, 1, kQuestion);
  tally.compare(binary16, 2, 1, 1, kQuestion);
  EXPECT_EQ(4, tally.comparisons);
  EXPECT_EQ(3, tally.disagreements);
  EXPECT_EQ("question: exact {3c00 = 0x1p+0}, fast {3c00 = 0x1p+0}, second {3c01 = 0x1.004p+0}",
            tally.first.front());
}

TEST(OracleTally, CountsWhicheverSetDiffers) {
  const OracleTally::Set one{1}, two{1, second::kAnyNan};
  OracleTally tally;
  tally.compare(binary16, two, two, two, kQuestion);
  EXPECT_EQ(0, tally.disagreements);
  tally.compare(binary16, one, one, two, kQuestion);
  tally.compare(binary16, one, two, one, kQuestion);
  tally.compare(binary16, two, one, one, kQuestion);
  EXPECT_EQ(4, tally.comparisons);
  EXPECT_EQ(3, tally.disagreements);
  EXPECT_EQ("question: exact {0001 = 0x1p-24}, fast {0001 = 0x1p-24}, second {0001 = 0x1p-24, nan}",
            tally.first.front());
}

TEST(OracleTally, KeepsTheFirstFew) {
  OracleTally tally, single;
  for (int i = 0; i < 9; ++i) {
    OracleTally one;
    one.comparisons = 2;
    one.disagree(std::to_string(i));
    single.disagree(std::to_string(i));
    tally.add(one);
  }
  EXPECT_EQ(18, tally.comparisons);
  EXPECT_EQ(9, tally.disagreements);
  EXPECT_EQ((std::vector<std::string>{"0", "1", "2", "3", "4"}), tally.first);
  EXPECT_EQ(tally.first, single.first);
}

}  // namespace
}  // namespace ampcheck::reference
