#include "reference/weight_copy.hpp"

#include <stdexcept>

namespace ampcheck::reference {
namespace {

const Rational kOnceIn(1'000'000'000);

}  // namespace

Admissible weight_copy(const Admissible& master, const NumberFormat& copy, CopyRounding rounding) {
  const NumberFormat& wide = master.format();
  return master.map(copy, [&](std::uint64_t bits) {
    if (rounding == CopyRounding::nearest_even || !wide.is_finite(bits))
      return Admissible::of(copy, convert({&wide, bits}, copy));
    return stochastically_rounded(Exact(value_of(bits, wide)), copy);
  });
}

Rational chance_of_rounding_up(const Rational& x, const NumberFormat& format) {
  if (x.abs() > value_of(format.max_finite(), format))
    throw std::domain_error("a number beyond the largest finite one has no neighbour above");
  const Rational below = value_of(round_to(x, format, Rounding::down), format);
  const Rational above = value_of(round_to(x, format, Rounding::up), format);
  return below == above ? Rational(0) : (x - below) / (above - below);
}

bool is_plausible(std::int64_t ups, std::int64_t roundings, const Rational& chance) {
  if (roundings < 1) throw std::invalid_argument("roundings: expected at least 1");
  if (ups < 0 || ups > roundings) throw std::invalid_argument("ups: expected 0 to roundings");
  if (chance.sign() < 0 || chance > 1) throw std::invalid_argument("chance: expected 0 to 1");
  const std::int64_t downs = roundings - ups;
  const Rational expected_ups = chance * roundings,
                 expected_downs = Rational(roundings) - expected_ups;
  // What never happens.
  if (expected_ups.is_zero() || expected_downs.is_zero()) return expected_ups == Rational(ups);
  return power(Rational(ups) / expected_ups, ups) * power(Rational(downs) / expected_downs, downs) <
         kOnceIn * 2;
}

}  // namespace ampcheck::reference
