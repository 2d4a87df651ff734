// What stands behind Rational. Included only by .cpp files of reference/.
#pragma once

#include <boost/multiprecision/gmp.hpp>

#include "reference/rational.hpp"

namespace ampcheck::reference {

using BoostInteger =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using BoostRational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

struct RationalAccess {
  static_assert(sizeof(BoostRational) <= sizeof(Rational::storage_));
  static_assert(alignof(BoostRational) <= 8);

  static BoostRational& of(Rational& x) { return *reinterpret_cast<BoostRational*>(x.storage_); }
  static const BoostRational& of(const Rational& x) {
    return *reinterpret_cast<const BoostRational*>(x.storage_);
  }
};

inline const BoostRational& boost_of(const Rational& x) { return RationalAccess::of(x); }

}  // namespace ampcheck::reference
