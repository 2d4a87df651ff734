#include "reference/skipping.hpp"

#include <algorithm>
#include <stdexcept>

namespace ampcheck::reference {
namespace {

Rational finite_or_beyond(std::uint64_t bits, const NumberFormat& f) {
  return f.is_finite(bits) ? value_of(bits, f) : Rational::power_of_two(f.max_exponent() + 1);
}

Rational backed_off(Rational moved, const Rational& before, const Policy& policy) {
  // A floor never raises a scale that was below it from the start.
  return policy.floor ? max(moved, min(*policy.floor, before)) : moved;
}

Rational grown(Rational moved, const Rational& before, const Policy& policy) {
  if (policy.ceiling) moved = min(moved, max(*policy.ceiling, before));
  const NumberFormat& s = *policy.scale_format;
  const Rational largest = value_of(s.max_finite(), s);
  if (moved <= largest) return moved;
  return policy.growth_limit == GrowthLimit::clamp ? largest : before;
}

}  // namespace

std::vector<Rational> moved_scales(const Rational& scale, const Number& factor,
                                   const Policy& policy) {
  const NumberFormat& s = *policy.scale_format;
  const NumberFormat& w = wider(s, *policy.factor_format);
  const Rational declared = value_of(convert(factor, *policy.factor_format), *policy.factor_format);
  const Number product{&w, round_to(scale * declared, w)};
  std::vector<Rational> scales{finite_or_beyond(convert(product, s), s)};
  Rational exact = finite_or_beyond(round_to(scale * value_of(factor), s), s);
  if (exact != scales.front()) scales.push_back(std::move(exact));
  return scales;
}

std::vector<ScaleState> updated(const ScaleState& state, Verdict verdict, const ScaleRule& rule,
                                const Policy& policy) {
  ScaleState next = state;
  std::vector<ScaleState> states;
  const auto move = [&](const Number& factor, const auto& limited) {
    next.clean_steps = 0;
    for (Rational& moved : moved_scales(state.scale, factor, policy)) {
      next.scale = limited(std::move(moved), state.scale, policy);
      states.push_back(next);
    }
  };
  switch (verdict) {
    case Verdict::unknown:
      throw std::logic_error("an update needs a verdict");
    case Verdict::overflow:
      // DeepSpeed counts from the last overflow: N + 1 steps to the first growth after it, then N.
      next.has_grown = false;
      move(rule.backoff_factor, backed_off);
      return states;
    case Verdict::clean:
      break;
  }
  std::int64_t needed = rule.growth_interval;
  if (policy.growth_rule == GrowthRule::n_plus_one ||
      (policy.growth_rule == GrowthRule::n_plus_one_once && !state.has_grown))
    ++needed;
  if (++next.clean_steps < needed) return {next};
  next.has_grown = true;
  move(rule.growth_factor, grown);
  return states;
}

}  // namespace ampcheck::reference
