#include "reference/token_normalization.hpp"

#include <algorithm>

#include "reference/scaling.hpp"

namespace ampcheck::reference {

std::int64_t counted_tokens(const std::vector<Token>& tokens, std::int64_t ignore_index) {
  std::int64_t count = 0;
  for (const Token& token : tokens)
    if (token.label != ignore_index) count += token.times;
  return count;
}

Admissible token_mean(const std::vector<TokenTerm>& terms, std::int64_t count, std::int64_t ranks,
                      const Number& cotangent, const NumberFormat& accumulator,
                      const Policy& policy) {
  if (count == 0) return Admissible::of(accumulator, 0);
  const Rational s = value_of(cotangent);
  Rational sum, magnitudes;
  std::int64_t additions = 0;
  int quantum = 0;
  bool any = false;
  const NumberFormat* narrowest = &accumulator;
  for (const TokenTerm& term : terms) {
    const Rational c = value_of(term.coefficient);
    additions += term.times;
    if (wider(*narrowest, *term.coefficient.format) == *narrowest) narrowest = term.coefficient.format;
    if (c.is_zero()) continue;
    sum += c * term.times;
    magnitudes += c.abs() * term.times;
    quantum = any ? std::min(quantum, c.trailing_exponent()) : c.trailing_exponent();
    any = true;
  }
  if (!any) return Admissible::of(accumulator, 0);
  const Rational n(count), w(ranks);
  const Rational exact = s * sum / n;
  // Every form multiplies by powers of two only, and every partial sum stays a multiple of one quantum.
  if (s.is_power_of_two() && n.is_power_of_two() && w.is_power_of_two()) {
    const int factor = s.floor_log2() - n.floor_log2();
    const int highest = w.floor_log2();
    const bool terms_are_representable = quantum + factor >= narrowest->min_quantum();
    const bool sums_are_representable =
        magnitudes <= Rational::power_of_two(quantum + accumulator.precision()) &&
        magnitudes * Rational::power_of_two(std::max(factor, s.floor_log2()) + highest) <=
            value_of(narrowest->max_finite(), *narrowest);
    if (terms_are_representable && sums_are_representable)
      return Admissible::of(accumulator, round_to(exact, accumulator));
  }
  const Rational u = Rational::power_of_two(-accumulator.precision());
  const Rational v = u / (Rational(1) + u);
  const Rational u_f = Rational::power_of_two(-narrowest->precision());
  Rational relative = (Rational(1) + u_f) * (Rational(1) + u * additions);
  for (int rounding = 0; rounding < 6; ++rounding) relative *= Rational(1) + v;
  const Rational quantum_of_f = Rational::power_of_two(
      policy.may_flush ? narrowest->min_exponent() : narrowest->min_quantum());
  const Rational error =
      (relative - 1) * magnitudes * s / n + quantum_of_f * additions * (w + 1);
  return Admissible::between(accumulator, round_to(exact - error, accumulator),
                             round_to(exact + error, accumulator));
}

}  // namespace ampcheck::reference
