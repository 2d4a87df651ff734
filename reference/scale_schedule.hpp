// How the scale moves: it backs off after overflows and grows after clean steps, in every way that
// released scalers have.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/policy.hpp"
#include "reference/rounding.hpp"
#include "reference/skipping.hpp"

namespace ampcheck::reference {

struct ScaleRule {
  Number growth_factor, backoff_factor;  // as the case gives them
  std::int64_t growth_interval = 1;
};

struct ScaleState {
  Rational scale;                // in force: it scales the loss until the next update
  std::int64_t clean_steps = 0;  // since the last growth or overflow
  bool has_grown = false;     // since the last overflow; for the rule that waits N + 1 steps once
  std::int64_t absorbed = 0;  // overflows that hysteresis has absorbed since it was full
  std::optional<Rational> next = {};  // with a lag: in force from the next update on. None: `scale`
  bool raised = false;  // the update ended in an error, and the scale is as it was before
  friend bool operator==(const ScaleState&, const ScaleState&) = default;
};

// What S·f may be: RN_s(RN_w(S·f')), s the declared scale format, f' the factor in the declared
// factor format, w the wider of the two; and the exact product rounded once. Powers of two: one
// value. A product beyond the format's range is 2^(max exponent + 1), which stands for inf.
std::vector<Rational> moved_scales(const Rational& scale, const Number& factor,
                                   const Policy& policy);

// One update. Overflow: absorbed while hysteresis lasts, else back-off, then the floor. Clean: the
// count grows, and with it, once it reaches what the growth rule asks for, the scale; then the
// ceiling, and the growth limit where the result overflows. The count restarts on every overflow,
// also on one that is absorbed, and on growth, also where it was refused. One state for each thing
// that may have become of the scale.
std::vector<ScaleState> updated(const ScaleState& state, Verdict verdict, const ScaleRule& rule,
                                const Policy& policy);

}  // namespace ampcheck::reference
