#include "reference/recipe_numbers.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "reference/batch_schedule.hpp"
#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

bool is_power_of_two(std::int64_t x) { return std::has_single_bit(static_cast<std::uint64_t>(x)); }

// Significant bits of a number of binary32.
int bits_of(const Rational& x) {
  int bits = 0;
  while (bits < binary32.precision()) {
    NumberFormat shorter = binary32;
    shorter.fraction_bits = bits;
    ++bits;
    if (x.is_zero() || is_representable(x, shorter)) break;
  }
  return bits;
}

// No form rounds: every intermediate result is the setting times an integer up to the product of
// these, over a power of two.
bool is_exact(const Rational& setting, std::initializer_list<std::int64_t> factors,
              std::initializer_list<std::int64_t> divisors) {
  if (!is_representable(setting, binary32) || setting.abs() < Rational::power_of_two(-60) ||
      !std::all_of(divisors.begin(), divisors.end(), is_power_of_two))
    return false;
  int bits = bits_of(setting);
  for (const std::int64_t factor : factors)
    bits += static_cast<int>(std::bit_width(static_cast<std::uint64_t>(factor)));
  return bits <= binary32.precision();
}

Admissible around(const Rational& exact, const Rational& largest, std::size_t roundings,
                  const NumberFormat& shown) {
  const Rational error = growth_bound(roundings, shown) * largest;
  return Admissible::enclosing(shown, exact - error, exact + error);
}

}  // namespace

Admissible scaled_weight_decay_in(const NumberFormat& shown, const Rational& decay,
                                  std::int64_t nominal, std::int64_t batch) {
  const Rational exact = scaled_weight_decay(decay, nominal, batch);
  const std::int64_t number = micro_batches(nominal, batch);
  if (decay.is_zero() || is_exact(decay, {batch, number}, {nominal, batch, number}))
    return Admissible::of(shown, round_to(exact, shown));
  return around(exact, exact, 5, shown);
}

Admissible scaled_rate_in(const NumberFormat& shown, std::int64_t step, std::int64_t warm_up,
                          const Rational& rate, std::int64_t base_batch, std::int64_t batch) {
  const Rational to = scaled_rate(rate, base_batch, batch);
  const Rational exact = scaled_rate_in_warm_up(step, warm_up, rate, base_batch, batch);
  if (rate.is_zero() ||
      is_exact(rate, {std::max(batch, base_batch), warm_up}, {base_batch, batch, warm_up}))
    return Admissible::of(shown, round_to(exact, shown));
  return around(exact, std::max(rate, to), 10, shown);
}

}  // namespace ampcheck::reference
