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

// RN(S), the product with it, RN(1/S), and the product with that.
constexpr std::size_t kScalingRoundings = 4;

std::size_t laid_out(std::int64_t tokens, const std::vector<TokenTerm>& terms) {
  return static_cast<std::size_t>(tokens <= kTokensLaidOut ? tokens : 2 * std::ssize(terms));
}

// The weights of a window's classes, and what is summed before they are multiplied with it.
struct Weights {
  bool are_all_one = true;
  Rational lightest, heaviest;
  Rational unweighted;  // the sum of the magnitudes of times·c
  int quantum = 0;      // of the weights
  int sum_quantum = 0;  // of the terms without them

  void add(const TokenTerm& term, const Rational& c) {
    const Rational& w = term.weight;
    const bool first = heaviest.is_zero();
    are_all_one = are_all_one && w == 1;
    lightest = first ? w : min(lightest, w);
    heaviest = max(heaviest, w);
    quantum = first ? w.trailing_exponent() : std::min(quantum, w.trailing_exponent());
    sum_quantum = first ? c.trailing_exponent() : std::min(sum_quantum, c.trailing_exponent());
    unweighted += c.abs() * term.times;
  }
  // They are numbers of the format, and so are they when they were multiplied with anything from
  // 2^low to 2^high.
  bool are_exact_in(const NumberFormat& f, int low, int high, const Policy& policy) const {
    const int smallest = policy.may_flush ? f.min_exponent() : f.min_quantum();
    return (policy.may_flush ? lightest.floor_log2() : quantum) + low >= smallest &&
           heaviest <= Rational::power_of_two(quantum + f.precision()) &&
           heaviest.floor_log2() + high <= f.max_exponent();
  }
};

}  // namespace

std::int64_t counted_tokens(const std::vector<Token>& tokens, std::int64_t ignore_index) {
  std::int64_t count = 0;
  for (const Token& token : tokens)
    if (token.label != ignore_index && __builtin_add_overflow(count, token.times, &count))
      throw std::out_of_range("times: more than 2^63 - 1 tokens count");
  return count;
}

TokenDivisor::TokenDivisor(const std::vector<TokenTerm>& weighted,
                           const NumberFormat& accumulator) {
  std::int64_t tokens = 0;
  std::optional<int> quantum;
  for (const TokenTerm& term : weighted) {
    tokens += term.times;
    exact += term.weight * term.times;
    const int last = term.weight.trailing_exponent();
    quantum = std::min(quantum.value_or(last), last);
  }
  if (!quantum || exact <= Rational::power_of_two(*quantum + accumulator.precision())) return;
  relative_error = growth_bound(laid_out(tokens, weighted), accumulator);
}

namespace {

// `scaled_by`, where it is: each c was multiplied with that and divided by it again before.
Admissible mean(const std::vector<TokenTerm>& terms, const TokenDivisor& divisor,
                std::int64_t ranks, const Number& cotangent, const NumberFormat& accumulator,
                const Policy& policy, const std::optional<Rational>& scaled_by) {
  if (divisor.exact.is_zero()) return Admissible::of(accumulator, 0);
  if (!cotangent.is_finite()) {
    Admissible result(accumulator);
    result.add_non_finite();
    return result;
  }
  const Rational s = value_of(cotangent);
  Rational sum, magnitudes, subnormals;
  std::int64_t tokens = 0;
  std::optional<int> quantum;
  Weights weights;
  const NumberFormat* narrowest = &accumulator;
  for (const TokenTerm& term : terms) {
    if (!term.coefficient.is_finite()) {
      if (term.times == 0) continue;
      Admissible result(accumulator);
      result.add_non_finite();
      return result;
    }
    const Rational unweighted = value_of(term.coefficient), c = unweighted * term.weight;
    tokens += term.times;
    if (wider(*narrowest, *term.coefficient.format) == *narrowest)
      narrowest = term.coefficient.format;
    if (c.is_zero()) continue;
    weights.add(term, unweighted);
    sum += c * term.times;
    magnitudes += c.abs() * term.times;
    if (term.coefficient.format->is_subnormal(term.coefficient.bits))
      subnormals += c.abs() * term.times;
    quantum = std::min(quantum.value_or(c.trailing_exponent()), c.trailing_exponent());
  }
  if (!quantum) return Admissible::of(accumulator, 0);
  const Rational &n = divisor.exact, w(ranks);
  const Rational exact = s * sum / n;
  // Every form multiplies by powers of two only, and every partial sum stays a multiple of one
  // quantum.
  if (s.is_power_of_two() && n.is_power_of_two() && w.is_power_of_two() &&
      divisor.relative_error.is_zero() && !scaled_by) {
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
    // With weights the factor may come in any order, and piece by piece.
    const int low = std::min({factor, s.floor_log2(), -n.floor_log2(), 0});
    const int high = std::max({factor, s.floor_log2(), -n.floor_log2(), 0}) + highest;
    const bool weights_are_representable =
        weights.are_all_one ||
        (std::min(*quantum, weights.sum_quantum) + low >= smallest_unit &&
         weights.unweighted <=
             Rational::power_of_two(weights.sum_quantum + accumulator.precision()) &&
         max(magnitudes, weights.unweighted) * Rational::power_of_two(high) <=
             value_of(narrowest->max_finite(), *narrowest) &&
         weights.are_exact_in(*narrowest, low, high, policy) &&
         weights.are_exact_in(seed, low, high, policy));
    if (terms_are_representable && sums_are_representable && weights_are_representable)
      return Admissible::of(accumulator, round_to(exact, accumulator));
  }
  const NumberFormat& shortest =
      wider(*cotangent.format, accumulator) == accumulator ? *cotangent.format : accumulator;
  // The number of equal tokens and the product with it round, too.
  const std::size_t summed = laid_out(tokens, terms);
  const std::size_t roundings = (is_representable(n, shortest) ? 0u : 1u) +
                                (n.is_power_of_two()   ? 0u
                                 : s.is_power_of_two() ? 1u
                                                       : 2u) +
                                (w.is_power_of_two() ? 0u : 3u) + (weights.are_all_one ? 0u : 2u) +
                                (scaled_by ? kScalingRoundings : 0u);
  const Rational relative = (Rational(1) + relative_error(*narrowest)) *
                            (Rational(1) + growth_bound(summed, accumulator)) *
                            (Rational(1) + growth_bound(roundings, shortest)) /
                            (Rational(1) - divisor.relative_error);
  const auto lost = [&](const NumberFormat& f) {
    return policy.may_flush ? smallest_normal(f) : Rational::power_of_two(f.min_quantum() - 1);
  };
  const NumberFormat& loss = *cotangent.format;
  Rational underflow = lost(*narrowest) * static_cast<std::int64_t>(summed) +
                       lost(accumulator) * (ranks > 1 ? ranks + 1 : 1);
  if (s.abs() / n < smallest_normal(loss)) underflow += lost(loss) * magnitudes * 2;
  if (Rational(1) / n < smallest_normal(loss)) underflow += lost(loss) * magnitudes * s.abs();
  if (scaled_by) underflow += lost(accumulator) * (Rational(1) + Rational(1) / *scaled_by);
  if (policy.may_flush) underflow += subnormals * s.abs() / n;
  if (!weights.are_all_one) {
    underflow += lost(*narrowest) * tokens * s.abs() / n;
    for (const NumberFormat* f : {&loss, narrowest})
      if (min(s.abs() / n, 1) * weights.lightest < smallest_normal(*f))
        underflow += lost(*f) * weights.unweighted * max(s.abs() / n, 1) * 2;
  }
  const Rational error = (relative - 1) * magnitudes * s.abs() / n + underflow * relative;
  Admissible result = Admissible::enclosing(accumulator, exact - error, exact + error);
  const auto may_be_beyond = [&](const Rational& x, const NumberFormat& f) {
    return x * relative > value_of(f.max_finite(), f);
  };
  const Rational factor = s.abs() * w / n;
  if (may_be_beyond(max(magnitudes, weights.unweighted) * factor, *narrowest) ||
      // The factor before it meets a term; only weights make N less than 1.
      may_be_beyond(factor, loss) ||
      (scaled_by && may_be_beyond(magnitudes * *scaled_by, accumulator)))
    result.add_non_finite();
  return result;
}

}  // namespace

Admissible token_mean(const std::vector<TokenTerm>& terms, const TokenDivisor& divisor,
                      std::int64_t ranks, const Number& cotangent, const NumberFormat& accumulator,
                      const Policy& policy) {
  return mean(terms, divisor, ranks, cotangent, accumulator, policy, {});
}

Admissible token_loss(const std::vector<TokenTerm>& losses, const TokenDivisor& divisor,
                      std::int64_t ranks, const std::vector<Rational>& scales,
                      const Policy& policy) {
  const Number one{&binary32, round_to(Rational(1), binary32)};
  Admissible result = token_mean(losses, divisor, ranks, one, binary32, policy);
  for (const Rational& scale : scales)
    if (!scale.is_power_of_two())
      result.add(mean(losses, divisor, ranks, one, binary32, policy, scale));
  // The sums come before the division here.
  Rational weighted, unweighted;
  std::int64_t tokens = 0;
  for (const TokenTerm& term : losses) {
    if (!term.coefficient.is_finite()) continue;
    const Rational loss = value_of(term.coefficient).abs() * term.times;
    weighted += loss * term.weight;
    unweighted += loss;
    tokens += term.times;
  }
  const Rational enlarged = Rational(1) + growth_bound(laid_out(tokens, losses) + 2, binary32);
  if (max(max(weighted, unweighted), divisor.exact) * enlarged >
      value_of(binary32.max_finite(), binary32))
    result.add_non_finite();
  if (divisor.exact.is_zero()) result.add(Admissible::nan(binary32));
  return result;
}

}  // namespace ampcheck::reference
