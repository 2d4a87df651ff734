// A set times a power of two.
#pragma once

#include "reference/admissible.hpp"

namespace ampcheck::reference {

// Each element times 2^exponent, rounded to the set's format; inf and NaN stay.
inline Admissible shifted(const Admissible& set, int exponent) {
  const NumberFormat& f = set.format();
  return set.map(f, [&](std::uint64_t bits) {
    if (!f.is_finite(bits)) return Admissible::of(f, bits);
    return Admissible::of(f, round_to(value_of(bits, f) * Rational::power_of_two(exponent), f));
  });
}

}  // namespace ampcheck::reference
