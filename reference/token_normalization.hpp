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

// Counted tokens: those whose label is not the ignore index.
std::int64_t counted_tokens(const std::vector<Token>& tokens, std::int64_t ignore_index);

// One term of a window's mean: `times` tokens of coefficient c.
struct TokenTerm {
  Number coefficient;
  std::int64_t times = 1;
};

// cotangent·(sum of times·c)/N in the accumulator's format, however a correct implementation orders
// the sum, the division by N, and the product and mean over W ranks.
//
// One pattern where nothing rounds: N and W powers of two and all c·cotangent·W/N multiples of one
// 2^e with a sum of magnitudes up to 2^p·2^e. Else within [(1+u_F)(1+v)^k - 1]·sum|c|/N of it, k =
// 6 roundings of the normalization (count, reciprocal, product, world factor, its reduction,
// cotangent), v that of the accumulator or of the cotangent's format where that is shorter, besides
// the summation of n terms, plus a quantum for every product and cotangent that may be subnormal.
// Equal tokens are n terms as long as somebody may have laid them out one by one, else a product
// with their number. A cotangent of inf gives inf or NaN, which may also come where the share of a
// rank is beyond the range of the coefficients' format.
Admissible token_mean(const std::vector<TokenTerm>& terms, std::int64_t count, std::int64_t ranks,
                      const Number& cotangent, const NumberFormat& accumulator,
                      const Policy& policy);

}  // namespace ampcheck::reference
