#include "properties/identify/words.hpp"

#include "reference/rounding.hpp"

namespace ampcheck::properties::identify {
namespace {

using subject::PolicyValue;

struct Containment {
  std::string_view axis, narrow, wide;
};

// What the sets of the reference come to:
// - `either` is a union by definition, and so is what a norm that may be taken of scaled gradients,
//   a flag that may be inferred from the norm, a flushed subnormal or a factor of 1 that multiplies
//   adds to the strict way.
// - Of the two neighbours that stochastic rounding takes the nearer is one.
// - The exact value rounded once is admitted in the place of every arithmetic. That is the whole of
//   a division, of a product rounded in binary64 before it is rounded to a short output, of a
//   factor in binary64, and of the formula `exact`; and a step may be taken in binary64, in which
//   separate operations come to what fused ones give in binary32.
// - A clip may be computed in binary64, in which the factors of all formulas round to that of M/N;
//   and behind the limit M·min(1/N, 1/M) has the factor of (1/N)·M, which may be multiplied in more
//   orders.
// - The norm of norms rounds what a sum of squares rounds and the norms of tensors besides; the
//   bound for norms that are rescaled counts the roundings of both, where no square leaves the
//   range.
constexpr Containment kContained[] = {
    {"unscale", "division", "either"},
    {"unscale", "division", "reciprocal_binary32"},
    {"unscale", "division", "reciprocal_binary64"},
    {"unscale", "reciprocal_binary32", "either"},
    {"unscale", "reciprocal_binary64", "either"},
    {"unscale_format", "binary64", "binary32"},
    {"factor_format", "binary64", "binary32"},
    {"norm_input", "unscaled", "scaled"},
    {"norm_algorithm", "sum_of_squares", "of_tensor_norms"},
    {"norm_algorithm", "sum_of_squares", "rescaled"},
    {"norm_algorithm", "of_tensor_norms", "rescaled"},
    {"clip_formula", "exact", "quotient"},
    {"clip_formula", "exact", "reciprocal_product"},
    {"clip_formula", "exact", "limit_minimum"},
    {"clip_formula", "quotient", "reciprocal_product"},
    {"clip_formula", "limit_minimum", "reciprocal_product"},
    {"unneeded_clip", "identity", "multiplies"},
    {"step_arithmetic", "fused", "separate"},
    {"step_arithmetic", "separate", "either"},
    {"step_arithmetic", "fused", "either"},
    {"copy_rounding", "nearest", "stochastic"},
    {"subnormals", "kept", "may_flush"},
    {"finite_test", "elements", "norm"},
};

}  // namespace

Axis whole_axis(std::string_view name) {
  Axis axis{name, {}};
  for (const std::string_view value : subject::find_policy_axis(name)->values)
    if (!value.starts_with('<')) axis.words.push_back({std::string(value), {}});
  return axis;
}

bool is_narrower(std::string_view axis, const PolicyValue& narrow, const PolicyValue& wide) {
  for (const Containment& one : kContained)
    if (one.axis == axis && one.narrow == narrow.word && one.wide == wide.word) return true;
  return false;
}

bool is_same(const PolicyValue& a, const PolicyValue& b) {
  if (a.number.format == nullptr || b.number.format == nullptr) return a == b;
  using reference::binary32;
  const reference::Rational x = reference::value_of(a.number.bits, *a.number.format);
  const reference::Rational y = reference::value_of(b.number.bits, *b.number.format);
  const std::uint64_t rounded = reference::round_to(x, binary32);
  const bool is_in_range = binary32.is_finite(rounded) && !binary32.is_zero(rounded);
  return x == y || (is_in_range && rounded == reference::round_to(y, binary32));
}

std::string text_of(const PolicyValue& value) {
  if (value.number.format == nullptr) return value.word;
  return reference::to_hex_float(value.number.bits, *value.number.format);
}

}  // namespace ampcheck::properties::identify
