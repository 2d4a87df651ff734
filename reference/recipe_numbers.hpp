// What the recipes of batch_schedule.hpp may come out as in floating point.
#pragma once

#include <cstdint>

#include "reference/admissible.hpp"

namespace ampcheck::reference {

// Of a setting that is given as a float, finite and at least 0, and counts up to 2^24, computed in
// binary32 or in binary64 and shown in `shown`, one of the two; what is computed in binary64 may be
// rounded to binary32 afterwards. The set is the exact value alone where no form of the formula
// rounds: the setting is a number of binary32, all that may divide (also as the reciprocal of a
// ratio) is a power of two, and the significant bits of the setting and of what multiplies it are
// no more than 24. Else it is the exact value, give or take so many roundings of relative size v =
// u/(1+u) of the format shown (error_bounds.hpp), rounded outwards. In binary32 that holds what
// binary64 comes to, too.
//
// decay·batch·micro_batches/nominal, in any order: the setting rounded, two products, a quotient,
// and the whole narrowed: five. decay/(nominal/(batch·micro_batches)) has no more.
Admissible scaled_weight_decay_in(const NumberFormat& shown, const Rational& decay,
                                  std::int64_t nominal, std::int64_t batch);

// rate·batch/base_batch, and the warm-up to it, of `from` (rate) and `to` (that), s = step/warm_up
// up to 1. from + (to - from)·step/warm_up has two roundings for `to`, one for the difference, two
// for product and quotient and one for the sum; from·(1 - s) + to·s has one for s, one for 1 - s,
// two for `to`, two products and a sum; rate·(1 + (k - 1)·s) has no more. torch's LinearLR has two
// for `to`, and to·(q + (1 - q)·s) with q = base_batch/batch: one for q, 1 - q, s, the product and
// the sum, and one for the last product: eight. None is of more than the larger of `from` and `to`.
// With the setting rounded and the whole narrowed ten, of that one; after the warm-up, too, since
// from + (to - from) is a way to compute `to`. A rate that is moved on from that of the step before
// is another recipe.
Admissible scaled_rate_in(const NumberFormat& shown, std::int64_t step, std::int64_t warm_up,
                          const Rational& rate, std::int64_t base_batch, std::int64_t batch);

}  // namespace ampcheck::reference
