// What stands behind Rational. Included only by .cpp files of reference/.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <optional>

#include "reference/rational.hpp"

namespace ampcheck::reference {

using BoostInteger =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using BoostRational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                                    boost::multiprecision::et_off>;

__extension__ typedef __int128 Wide;  // a GNU extension, which -Wpedantic names

struct Rational::Big {
  BoostRational value;
};

struct RationalAccess {
  using Small = Rational::Small;

  // The small form, where the number has it.
  static const Small* small(const Rational& x) { return x.big_ == nullptr ? &x.small_ : nullptr; }
  static BoostRational boost(const Rational& x);
  static Rational from_boost(BoostRational value);
  // Small where |significand| < 2^63 once its trailing zeros are gone. What is longer than 64 bits
  // must be odd, as sums and products of small significands are, which are odd themselves.
  static std::optional<Rational> from_wide(Wide significand, std::int64_t exponent);
};

}  // namespace ampcheck::reference
