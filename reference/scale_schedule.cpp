#include "reference/scale_schedule.hpp"

#include <stdexcept>
#include <utility>

namespace ampcheck::reference {
namespace {

Rational finite_or_beyond(std::uint64_t bits, const NumberFormat& f) {
  return f.is_finite(bits) ? value_of(bits, f) : Rational::power_of_two(f.max_exponent() + 1);
}

struct Move {
  Rational scale;
  bool raised = false;
};

// What may become of a scale, by back-off or growth, once its product with the factor is known.
std::vector<Move> backed_off(const Rational& moved, const Rational& before, const Policy& policy) {
  if (!policy.floor) return {{moved}};
  const Rational& floor = *policy.floor;
  const bool raises = policy.at_floor == AtFloor::raise;
  if (policy.at_floor == AtFloor::raise_on_reaching) {
    if (moved <= floor) return {{before, true}};
    return {{moved}};
  }
  if (before < floor) {
    // It started there. max(S·f, floor) lifts it, other code leaves it.
    std::vector<Move> moves{{before}, {floor}};
    if (raises) moves.push_back({before, true});
    return moves;
  }
  if (before == floor && raises) return {{before, true}};
  return {{max(moved, floor)}};
}

std::vector<Move> grown(const Rational& moved, const Rational& before, const Policy& policy) {
  const NumberFormat& s = *policy.scale_format;
  const Rational largest = value_of(s.max_finite(), s);
  const auto limited = [&](const Rational& scale) -> Move {
    if (scale <= largest) return {scale};
    return {policy.growth_limit == GrowthLimit::clamp ? largest : before};
  };
  if (!policy.ceiling || moved <= *policy.ceiling) return {limited(moved)};
  std::vector<Move> moves{limited(*policy.ceiling)};
  // It started there. min(S·f, ceiling) lowers it, other code leaves it.
  if (before > *policy.ceiling) moves.push_back({before});
  return moves;
}

std::int64_t steps_to_growth(const ScaleState& state, const ScaleRule& rule, const Policy& policy) {
  const bool one_more = policy.growth_rule == GrowthRule::n_plus_one ||
                        (policy.growth_rule == GrowthRule::n_plus_one_once && !state.has_grown);
  return rule.growth_interval + (one_more ? 1 : 0);
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
  // The schedule moves the scale that it made last, which with a lag is not in force yet.
  const Rational before = state.next.value_or(state.scale);
  ScaleState next = state;
  std::vector<ScaleState> states;
  const auto become = [&](const Move& move) {
    next.raised = move.raised;
    next.scale = policy.scale_lags ? before : move.scale;
    if (policy.scale_lags) next.next = move.scale;
    states.push_back(next);
  };
  const auto move = [&](const Number& factor, const auto& limited) {
    next.clean_steps = 0;
    for (const Rational& moved : moved_scales(before, factor, policy))
      for (const Move& one : limited(moved, before, policy)) become(one);
  };
  switch (verdict) {
    case Verdict::unknown:
      throw std::logic_error("an update needs a verdict");
    case Verdict::overflow:
      // DeepSpeed counts from the last overflow: N + 1 steps to the first growth after it, then N.
      next.has_grown = false;
      next.clean_steps = 0;
      if (state.absorbed + 1 < policy.hysteresis) {
        ++next.absorbed;
        become({before});
        break;
      }
      if (policy.hysteresis_refill == HysteresisRefill::clean_step_and_back_off) next.absorbed = 0;
      move(rule.backoff_factor, backed_off);
      break;
    case Verdict::clean:
      if (policy.hysteresis_refill != HysteresisRefill::growth) next.absorbed = 0;
      if (++next.clean_steps < steps_to_growth(state, rule, policy)) {
        become({before});
        break;
      }
      next.has_grown = true;
      next.absorbed = 0;
      move(rule.growth_factor, grown);
      break;
  }
  return states;
}

}  // namespace ampcheck::reference
