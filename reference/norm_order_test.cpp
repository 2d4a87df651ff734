#include "reference/norm_order.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "reference/bad_session.hpp"
#include "reference/emulation_test.hpp"

namespace ampcheck::reference {
namespace {

TEST(NormOrder, IsAnIntegerOrInfinite) {
  for (const NumberFormat* f : {&binary16, &binary32, &binary64}) {
    for (int p = 1; p <= kLargestNormOrder; ++p)
      EXPECT_EQ((NormOrder{p, false}), norm_order(number(*f, p)));
    EXPECT_TRUE(norm_order({f, f->infinity()}).is_infinite);
  }
  for (const double p : {0.0, 0.5, 1.5, -1.0, -std::numeric_limits<double>::infinity(), 17.0})
    EXPECT_THROW(norm_order(number(binary32, p)), BadSession) << p;
  EXPECT_THROW(norm_order({&binary32, binary32.nan()}), BadSession);
}

}  // namespace
}  // namespace ampcheck::reference
