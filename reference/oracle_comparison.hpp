// Three oracles against each other: the exact path, the fast path and the second oracle answer the
// same questions, and must give the same patterns.
//
// `ampcheck selftest --oracle` plays all of it, the tests a sample.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference/oracle_tally.hpp"

namespace ampcheck::reference {

// Some inputs of one kind, in units that can be compared in any order and at the same time.
struct OraclePart {
  std::string name;  // "float8_e5m2 fma"
  std::int64_t units;
  std::function<OracleTally(std::int64_t unit)> compare;
};

// With every = 1:
// - all pairs of each 8-bit format added, multiplied and divided, and all triples through fma;
// - all inputs of binary16 and bfloat16 times, and unscaled by, every power of two of binary32 and
//   1,000 other scales, half of them of binary64; the four unscale arithmetics take turns;
// - 10^8 random pairs each of binary32 and binary64 added, multiplied, divided and converted, and
//   every fourth with a third operand through fma.
// With N: every Nth input, 16 addends of fma, 10^8/N random pairs; the 8-bit pairs remain all. The
// seed chooses the scales, where the inputs start, and the random pairs. Requires every > 0.
std::vector<OraclePart> oracle_parts(std::int64_t every, std::uint64_t seed);

}  // namespace ampcheck::reference
