#include "reference/token_normalization.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "reference/error_bounds.hpp"
#include "reference/scaling.hpp"

namespace ampcheck::reference {
namespace {

// A window of so many tokens is laid out as single tokens by no one: 2^16 is a batch of 16 texts of
// 4096.
constexpr std::int64_t kTokensLaidOut = std::int64_t{1} << 16;

}  // namespace

std::int64_t counted_tokens(const std::vector<Token>& tokens, std::int64_t ignore_index) {
  std::int64_t count = 0;
  for (const Token& token : tokens)
    if (token.label != ignore_index && __builtin_add_overflow(count, token.times, &count))
      throw std::out_of_range("times: more than 2^63 - 1 tokens count");
  return count;
}

Admissible token_mean(const std::vector<TokenTerm>& terms, std::int64_t count, std::int64_t ranks,
                      const Number& cotangent, const NumberFormat& accumulator,
                      const Policy& policy) {
  if (count == 0) return Admissible::of(accumulator, 0);
  if (!cotangent.is_finite()) {
    Admissible result(accumulator);
    result.add_non_finite();
    return result;
  }
  const Rational s = value_of(cotangent);
  Rational sum, magnitudes, subnormals;
  std::int64_t tokens = 0;
  std::optional<int> quantum;
  const NumberFormat* narrowest = &accumulator;
  for (const TokenTerm& term : terms) {
    if (!term.coefficient.is_finite()) {
      if (term.times == 0) continue;
      Admissible result(accumulator);
      result.add_non_finite();
      return result;
    }
    const Rational c = value_of(term.coefficient);
    tokens += term.times;
    if (wider(*narrowest, *term.coefficient.format) == *narrowest)
      narrowest = term.coefficient.format;
    if (c.is_zero()) continue;
    sum += c * term.times;
    magnitudes += c.abs() * term.times;
    if (term.coefficient.format->is_subnormal(term.coefficient.bits))
      subnormals += c.abs() * term.times;
    quantum = std::min(quantum.value_or(c.trailing_exponent()), c.trailing_exponent());
  }
  if (!quantum) return Admissible::of(accumulator, 0);
  const Rational n(count), w(ranks);
  const Rational exact = s * sum / n;
  // Every form multiplies by powers of two only, and every partial sum stays a multiple of one
  // quantum.
  if (s.is_power_of_two() && n.is_power_of_two() && w.is_power_of_two()) {
    const int factor = s.floor_log2() - n.floor_log2();
    const int highest = w.floor_log2();
    const NumberFormat& seed = *cotangent.format;
    const int smallest_unit =
        policy.may_flush ? narrowest->min_exponent() : narrowest->min_quantum();
    const int smallest_seed = policy.may_flush ? seed.min_exponent() : seed.min_quantum();
    const bool terms_are_representable =
        *quantum + factor >= smallest_unit && factor >= smallest_seed &&
        std::max(factor, s.floor_log2()) + highest <= seed.max_exponent();
    const bool sums_are_representable =
        magnitudes <= Rational::power_of_two(*quantum + accumulator.precision()) &&
        magnitudes * Rational::power_of_two(std::max(factor, s.floor_log2()) + highest) <=
            value_of(narrowest->max_finite(), *narrowest);
    if (terms_are_representable && sums_are_representable)
      return Admissible::of(accumulator, round_to(exact, accumulator));
  }
  const NumberFormat& shortest =
      wider(*cotangent.format, accumulator) == accumulator ? *cotangent.format : accumulator;
  // The number of equal tokens and the product with it round, too.
  const auto laid_out = static_cast<std::size_t>(
      tokens <= kTokensLaidOut ? tokens : std::int64_t{2} * std::ssize(terms));
  const std::size_t roundings = (is_representable(n, shortest) ? 0u : 1u) +
                                (n.is_power_of_two()   ? 0u
                                 : s.is_power_of_two() ? 1u
                                                       : 2u) +
                                (w.is_power_of_two() ? 0u : 3u);
  const Rational relative = (Rational(1) + relative_error(*narrowest)) *
                            (Rational(1) + growth_bound(laid_out, accumulator)) *
                            (Rational(1) + growth_bound(roundings, shortest));
  const auto lost = [&](const NumberFormat& f) {
    return policy.may_flush ? smallest_normal(f) : Rational::power_of_two(f.min_quantum() - 1);
  };
  const NumberFormat& loss = *cotangent.format;
  Rational underflow = lost(*narrowest) * static_cast<std::int64_t>(laid_out) +
                       lost(accumulator) * (ranks > 1 ? ranks + 1 : 1);
  if (s.abs() / n < smallest_normal(loss)) underflow += lost(loss) * magnitudes * 2;
  if (Rational(1) / n < smallest_normal(loss)) underflow += lost(loss) * magnitudes * s.abs();
  if (policy.may_flush) underflow += subnormals * s.abs() / n;
  const Rational error = (relative - 1) * magnitudes * s.abs() / n + underflow * relative;
  Admissible result = Admissible::enclosing(accumulator, exact - error, exact + error);
  if (magnitudes * s.abs() * w / n * relative > value_of(narrowest->max_finite(), *narrowest))
    result.add_non_finite();
  return result;
}

}  // namespace ampcheck::reference
