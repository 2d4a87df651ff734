#include "reference/reported_loss.hpp"

#include "reference/error_bounds.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

// x, multiplied with the scale and divided by it again.
Admissible scaled_and_back(const Number& x, const Rational& scale, const Policy& policy) {
  const NumberFormat& f = *x.format;
  Admissible result = Admissible::of(x);
  const Rational exact = value_of(x), product = exact.abs() * scale;
  if (exact.is_zero()) return result;
  const Rational normal = smallest_normal(f), relative = growth_bound(4, f);
  const bool stays_normal = product >= normal && exact.abs() >= normal && scale >= normal &&
                            Rational(1) / scale >= normal;
  if (!scale.is_power_of_two() || !stays_normal) {
    const Rational lost = policy.may_flush ? normal : Rational::power_of_two(f.min_quantum() - 1);
    Rational error = relative * exact.abs();
    if (!stays_normal)
      error += (lost * exact.abs() / scale + lost / scale + lost * product + lost) *
               (Rational(1) + relative);
    result.add(Admissible::enclosing(f, exact - error, exact + error));
  }
  const Rational most = value_of(f.max_finite(), f);
  if (product * (Rational(1) + relative) > most || scale > most) result.add_non_finite();
  return result;
}

Admissible told(const Admissible& loss, const std::vector<Rational>& scales, const Policy& policy) {
  return loss.map(loss.format(), [&](std::uint64_t bits) {
    Admissible result = Admissible::of(loss.format(), bits);
    if (!loss.format().is_finite(bits)) result.add_non_finite();
    for (const Rational& scale : scales)
      if (loss.format().is_finite(bits))
        result.add(scaled_and_back({&loss.format(), bits}, scale, policy));
    return result;
  });
}

}  // namespace

std::vector<Admissible> reported_losses(const Number& loss, std::int64_t n,
                                        const std::vector<Rational>& scales, const Policy& policy) {
  std::vector<Admissible> sets = {told(Admissible::of(loss), scales, policy)};
  if (n != 1) sets.push_back(told(divided_seed(loss, n), scales, policy));
  return sets;
}

}  // namespace ampcheck::reference
