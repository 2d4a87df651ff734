// Hill-climbing over the bits of inputs: how near can a computed value come to the ends of its set?
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/emulation_test.hpp"

namespace ampcheck::reference {

// |computed - exact| over half of the width of the set; 0 for sets of fewer than five patterns,
// which two roundings account for. A computed value outside the set is a failure.
inline double reached(const Admissible& set, const Rational& exact, double computed) {
  const NumberFormat& f = set.format();
  const std::uint64_t bits = number(f, computed).bits;
  EXPECT_TRUE(set.contains(bits)) << computed << " not in " << set.to_string();
  if (set.may_be_non_finite() || !set.has_ends()) return 0;
  const Rational low = value_of(set.lowest(), f), high = value_of(set.highest(), f);
  const auto place = [&](std::uint64_t x) {
    const auto magnitude = static_cast<std::int64_t>(f.magnitude(x));
    return f.is_negative(x) ? -magnitude : magnitude;
  };
  if (place(set.highest()) - place(set.lowest()) < 4) return 0;
  const Rational ratio = (rational(computed) - exact).abs() * 2 / (high - low);
  return as_double({&binary64, round_to(ratio, binary64)});
}

using Patterns = std::vector<std::uint64_t>;

// Another input near one: some bits of one element, or a whole element, are different.
inline Patterns mutated(Patterns inputs, const NumberFormat& f, std::mt19937_64& random) {
  for (std::size_t changes = 1 + random() % 2; changes != 0; --changes) {
    std::uint64_t& x = inputs[random() % inputs.size()];
    const std::uint64_t before = x;
    switch (random() % 6) {
      case 0:
        x += 1;
        break;
      case 1:
        x -= 1;
        break;
      case 2:
        x ^= std::uint64_t{1} << (random() % static_cast<unsigned>(f.fraction_bits));
        break;
      case 3:  // another binade
        x += random() % 2 ? f.min_normal() : -f.min_normal();
        break;
      case 4:
        x = inputs[random() % inputs.size()];
        break;
      case 5:
        x = (x & ~f.fraction_mask()) | (random() & f.fraction_mask());
        break;
    }
    if (!f.holds(x) || !f.is_normal(x)) x = before;
  }
  return inputs;
}

// The largest value of `objective` that a climb from `start` finds, among patterns of f.
template <typename Objective>
double climb(Patterns start, const NumberFormat& f, int steps, Objective objective) {
  std::mt19937_64 random(1);
  double best = objective(start);
  for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
    Patterns next = mutated(start, f, random);
    const double value = objective(next);
    if (value < best) continue;
    best = value;
    start = std::move(next);
  }
  return best;
}

// What a set must let somebody reach: a tenth of the way to its end. The record keeps the figure.
inline void expect_reached(const std::string& name, double ratio) {
  testing::Test::RecordProperty(name, std::to_string(ratio));
  EXPECT_GE(ratio, 0.1) << name;
}

}  // namespace ampcheck::reference
