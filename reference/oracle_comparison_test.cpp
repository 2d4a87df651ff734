// A sample of `ampcheck selftest --oracle`.
#include "reference/oracle_comparison.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ampcheck::reference {
namespace {

// Sanitizers make all of it some fifteen times as slow.
#ifdef __SANITIZE_ADDRESS__
constexpr std::int64_t kEvery = 997, kFewest = 10'000;
#else
constexpr std::int64_t kEvery = 97, kFewest = 150'000;
#endif

class ThreeOracles : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(, ThreeOracles, testing::Range(std::size_t{0}, std::size_t{14}),
                         [](const auto& one) {
                           std::string name = oracle_parts(kEvery, 1)[one.param].name;
                           for (char& c : name)
                             if (c == ' ') c = '_';
                           return name;
                         });

TEST_P(ThreeOracles, Agree) {
  const OraclePart part = oracle_parts(kEvery, 1)[GetParam()];
  OracleTally tally;
  for (std::int64_t unit = 0; unit < part.units; ++unit) tally.add(part.compare(unit));
  EXPECT_GT(tally.comparisons, kFewest);
  EXPECT_EQ(0, tally.disagreements)
      << "of " << tally.comparisons << ": " << testing::PrintToString(tally.first);
}

TEST(OracleParts, AreThese) {
  EXPECT_EQ(14u, oracle_parts(97, 1).size());
  EXPECT_THROW(oracle_parts(0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace ampcheck::reference
