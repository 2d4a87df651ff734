// Rule 4, skipping: an inf or NaN skips the step and the scale backs off; it grows after N clean
// steps.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"

namespace ampcheck::reference {

enum class Verdict { clean, overflow, unknown };

struct ScaleRule {
  Number growth_factor, backoff_factor;  // as the case gives them
  std::int64_t growth_interval = 1;
};

// The scale and the count of clean steps since the last growth or overflow.
struct ScaleState {
  Rational scale;
  std::int64_t clean_steps = 0;
  bool has_grown = false;  // since the last overflow; for the rule that waits N + 1 steps once
};

// What S·f may be: RN_s(RN_w(S·f')), s the declared scale format, f' the factor in the declared
// factor format, w the wider of the two; and the exact product rounded once. Powers of two: one
// value. A product beyond the format's range is 2^(max exponent + 1), which stands for inf.
std::vector<Rational> moved_scales(const Rational& scale, const Number& factor,
                                   const Policy& policy);

// One update. Overflow: back-off, then the floor. Clean: the count grows, and with it, once it
// reaches what the growth rule asks for, the scale; then the ceiling, and the growth limit where
// the result overflows. The count restarts on overflow and on growth, also where growth was
// refused. One state for each value that the scale may have.
std::vector<ScaleState> updated(const ScaleState& state, Verdict verdict, const ScaleRule& rule,
                                const Policy& policy);

}  // namespace ampcheck::reference
