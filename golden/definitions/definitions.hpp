// What the definitions of golden vectors share. One file a rule.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "golden/vectors.hpp"
#include "properties/generators/case_builder.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::golden {

std::vector<Vector> scaling_vectors();
std::vector<Vector> clipping_vectors();
std::vector<Vector> accumulation_vectors();
std::vector<Vector> skipping_vectors();
std::vector<Vector> token_vectors();
std::vector<Vector> weight_vectors();
std::vector<Vector> schedule_vectors();

using properties::CaseBuilder;
using properties::dyadic;
using properties::NumberFormat;
using properties::power_of_two;
using properties::scalar;
using properties::scalar_power_of_two;
using properties::ScalerPlan;
using properties::word;
using properties::zeros;
using reference::bfloat16;
using reference::binary16;
using reference::binary32;
using reference::binary64;

// numerator/denominator, as a source writes it in decimals.
inline Real real(std::int64_t numerator, std::int64_t denominator,
                 const NumberFormat& f = binary32) {
  return {reference::Rational(numerator) / reference::Rational(denominator), &f};
}

inline subject::Tensor patterns(std::vector<std::uint64_t> bits, const NumberFormat& f = binary32) {
  return properties::vector(std::move(bits), f);
}

inline subject::Tensor integers(std::initializer_list<std::int64_t> values,
                                const NumberFormat& f = binary32) {
  std::vector<std::uint64_t> bits;
  for (const std::int64_t value : values) bits.push_back(dyadic(value, 0, f));
  return patterns(std::move(bits), f);
}

inline subject::Tensor one_of(const Real& real) {
  return patterns({real.scalar().bits}, *real.format);
}

inline std::uint64_t infinity(const NumberFormat& f = binary32) { return f.infinity(); }
inline std::uint64_t nan(const NumberFormat& f = binary32) { return f.nan(); }

inline ScalerPlan scale_of(const subject::Scalar& scale, int growth_interval = 1000) {
  ScalerPlan plan;
  plan.init_scale = scale;
  plan.growth_interval = growth_interval;
  return plan;
}
inline ScalerPlan scale_of_two(int exponent, int growth_interval = 1000) {
  return scale_of(scalar_power_of_two(exponent, binary32), growth_interval);
}

inline NamedPolicy reciprocal() {
  return {"reciprocal", {{"unscale", word("reciprocal_binary32")}}};
}

// The choices of torch.amp and torch.nn.utils.
inline NamedPolicy torch() {
  return {"torch",
          {{"unscale", word("reciprocal_binary32")},
           {"accumulator", word("parameter")},
           {"norm_algorithm", word("of_tensor_norms")},
           {"norm_format", word("gradient")},
           {"clip_formula", word("reciprocal_product")},
           {"clip_epsilon", properties::number(1e-6)},
           {"unneeded_clip", word("multiplies")},
           {"step_arithmetic", word("either")},
           {"floor", word("none")}}};
}

// SGD with a decimal learning rate.
inline subject::MakeOptimizer sgd(const std::string& name,
                                  std::vector<subject::Parameter> parameters, const Real& lr) {
  subject::MakeOptimizer made;
  made.name = name;
  made.hyper = {{"lr", lr.scalar()}};
  made.parameters = std::move(parameters);
  return made;
}

}  // namespace ampcheck::golden
