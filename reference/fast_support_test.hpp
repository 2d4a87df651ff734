// Compares the sets of the fast path's sums and norms with those of the exact path.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/accumulation.hpp"
#include "reference/fast_norm.hpp"
#include "reference/fast_sum.hpp"
#include "reference/norm.hpp"

namespace ampcheck::reference {

// The same ends, and the same answers about them, their neighbours, and what is not finite.
inline void same(const Admissible& exact, const fast::Range& found, const std::string& what) {
  const NumberFormat& f = exact.format();
  const fast::Format fast(f);
  ASSERT_EQ(exact.has_ends(), found.has_numbers) << what << ": " << exact.to_string();
  std::vector<std::uint64_t> asked{0, f.sign_bit(), f.nan(), f.max_finite(), f.lowest()};
  if (f.has_infinity()) asked.insert(asked.end(), {f.infinity(), f.infinity() | f.sign_bit()});
  if (exact.has_ends()) {
    ASSERT_EQ(fast::Range::key(exact.lowest(), fast), found.low) << what << exact.to_string();
    ASSERT_EQ(fast::Range::key(exact.highest(), fast), found.high) << what << exact.to_string();
    const std::uint64_t all = f.sign_bit() | f.magnitude_mask();
    for (const std::uint64_t end : {exact.lowest(), exact.highest()})
      asked.insert(asked.end(), {end, (end + 1) & all, (end - 1) & all, end ^ f.sign_bit()});
  }
  for (const std::uint64_t bits : asked)
    ASSERT_EQ(exact.contains(bits), found.contains(bits, fast))
        << what << ": " << to_hex_bits(bits, f) << " in " << exact.to_string();
}

}  // namespace ampcheck::reference
