// Rule 5, tokens: the loss of a window is the sum of its token losses over its count of counted
// tokens.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

// The same token, `times` over.
struct Token {
  std::int64_t label = 0;
  std::int64_t times = 1;
};

// Counted tokens: those whose label is not the ignore index. Throws std::out_of_range for more than
// 2^63 - 1 of them.
std::int64_t counted_tokens(const std::vector<Token>& tokens, std::int64_t ignore_index);

// One term of a window's mean: `times` tokens of coefficient c, and the weight of their class.
struct TokenTerm {
  Number coefficient;
  std::int64_t times = 1;
  Rational weight = 1;
};

// What a window's sums are divided by: its count of tokens, which is exact, or the sum of their
// weights.
struct TokenDivisor {
  TokenDivisor(std::int64_t count) : exact(count) {}  // NOLINT: a count is a divisor
  // The sum of times·weight, in the accumulator's format or a wider one and in any order. It is
  // exact where the weights, which are positive, are multiples of one 2^e with a sum of up to
  // 2^p·2^e; else each goes through n roundings at most, n the terms of token_mean's r.
  TokenDivisor(const std::vector<TokenTerm>& weighted, const NumberFormat& accumulator);

  Rational exact;
  Rational relative_error;
};

// cotangent·(sum of times·c)/N in the accumulator's format, however a correct implementation orders
// the sum, the division by N, and the product and mean over W ranks.
//
// One pattern where nothing rounds: N and W powers of two and all c·cotangent·W/N multiples of one
// 2^e with a sum of magnitudes up to 2^p·2^e.
//
// Else within E of it. Let A be the accumulator's format, F the shorter of it and that of the
// coefficients, L the cotangent's; v_A, u_F and so on their errors, n the terms.
// E = [(1+v_F)·(1+r)·(1+v)^k - 1]·Σ|c·s|/N, and what underflows:
// - v_F: the product of a coefficient with the factor, rounded to F; or, where the coefficients are
//   summed first, the product of their sum with it.
// - r = growth_bound(n) of A: n - 1 additions in any order, over tokens, micro-batches and ranks,
//   and the product with the number of equal tokens. A product that is fused into its addition has
//   no rounding of its own. Equal tokens are n terms as long as somebody may have laid them out one
//   by one, else two terms each: the number of them, rounded, and the product.
// - v: the larger of v_A and v_L. The factor is W·s/N, in L, and what it was multiplied with is
//   divided by W again, in A, when the ranks' means are averaged. k counts
//     1  N, rounded, where it is no number of the shorter of A and L,
//     1  RN(1/N), or the quotient s/N, where N is no power of two,
//     1  RN(1/N)·s where neither N nor s is one: s·RN(1/N) of a power of two is exact,
//     1  the product with W where W is no power of two,
//     1  RN(1/W), and
//     1  the product with it (or only one, a quotient), there, too.
//   Products and quotients by powers of two are exact but for what underflows.
// What underflows is off by half of the smallest subnormal number of its format (by less than the
// smallest normal one where it may be flushed): the n products in F; the mean over the ranks, or
// the product with s/N where the sum comes first, in A; two forms of the factor, times Σ|c|, where
// s/N is subnormal in L; RN(1/N), times Σ|c·s|, where 1/N is. Flushing may also take away subnormal
// coefficients.
// A cotangent of inf gives inf or NaN, as does a coefficient that is inf or NaN and is there at
// least once. Either may also come where the share of a rank is beyond the range of the
// coefficients' format.
//
// With weights the terms are times·w·c, N is the sum of times·w, and one pattern is left where w, w
// times the factor, and the sums of c alone, as where each class is summed by itself, round no more
// than the rest. Else k has two more, RN(w) and the product with it, and what N is off by divides
// everything.
Admissible token_mean(const std::vector<TokenTerm>& terms, const TokenDivisor& divisor,
                      std::int64_t ranks, const Number& cotangent, const NumberFormat& accumulator,
                      const Policy& policy);

// The loss of a window that its user is told: the mean of the tokens' losses, in binary32. Under a
// scale, one of `scales`, that is no power of two who reports what was back-propagated has
// multiplied each with it and divides by it again: four roundings more, and what underflows on the
// way, over S. 0 or NaN where no token counts; inf or NaN, too, where a sum may overflow.
Admissible token_loss(const std::vector<TokenTerm>& losses, const TokenDivisor& divisor,
                      std::int64_t ranks, const std::vector<Rational>& scales, const Policy&);

}  // namespace ampcheck::reference
