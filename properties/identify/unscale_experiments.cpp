#include "properties/clause.hpp"
#include "properties/identify/experiments.hpp"
#include "reference/round_quotient.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;

// Gradients of one tensor that are unscaled, by an `unscale` of their own or by the step. From
// parameters of zero a step of 2^-1 is exact, and shows the gradient, too.
Case unscaled_once(const Scalar& scale, const std::vector<std::uint64_t>& coefficients,
                   const NumberFormat& format, subject::OptimizerForm form, bool by_step) {
  ScalerPlan plan;
  plan.init_scale = scale;
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", coefficients.size(), format)}, -1, form)
      .backward({{"w", vector(coefficients, format)}});
  if (!by_step) builder.unscale("o").observe({"gradient/w"});
  builder.step("o").observe({"parameter/w"});
  return builder.done();
}

// What is the product or quotient before it is rounded: x/S, or x·RN(1/S).
Rational unrounded(const Rational& x, const Rational& scale, const NumberFormat* reciprocal) {
  if (reciprocal == nullptr) return x / scale;
  return x * value_of(round_quotient(1, scale, *reciprocal), *reciprocal);
}

// A scale of binary32 and a scaled gradient of the format such that the unscaled one lies so near
// the middle of two numbers of the format that binary32 gives the middle, and rounding that once
// more goes astray. The coefficient is one of binary32, so that its product with the scale is
// rounded to just that gradient. No case where no two significands have such a quotient.
std::vector<Case> rounded_twice(const NumberFormat& format, const NumberFormat* reciprocal) {
  const int p = format.precision();
  const std::int64_t most = std::int64_t{1} << p;
  for (std::int64_t x = most / 2; x < most; ++x)
    for (std::int64_t odd = most + 1; odd < 2 * most; odd += 2) {
      const Rational middle = Rational::dyadic(odd, -p);
      // Scales of 2^10 to 2^11, which limits must leave.
      const int exponent = 10 - (Rational(x) / middle).floor_log2();
      const Rational gradient = Rational::dyadic(x, exponent);
      const Scalar scale = {&binary32, round_to(gradient / middle, binary32)};
      const Rational value = value_of(scale.bits, binary32);
      const Rational exact = unrounded(gradient, value, reciprocal);
      const std::uint64_t twice = convert({&binary32, round_to(exact, binary32)}, format);
      // What is rounded once, of the quotient, too, is admitted in any case.
      if (twice == round_to(exact, format) || twice == round_to(gradient / value, format)) continue;
      const std::uint64_t coefficient = round_to(gradient / value, binary32);
      const Rational delivered = value * value_of(coefficient, binary32);
      if (value_of(round_to(delivered, format), format) != gradient) continue;
      ScalerPlan plan;
      plan.init_scale = scale;
      CaseBuilder builder;
      builder.scaler(plan)
          .sgd("o", {zeros("w", 1, format)})
          .backward({{"w", vector({coefficient}, binary32), &format}})
          .unscale("o")
          .observe({"gradient/w"});
      return {builder.done()};
    }
  return {};
}

}  // namespace

std::vector<Experiment> unscale_experiments(bool is_narrow) {
  std::vector<Experiment> all;
  const Scalar long_scale = {
      &binary32, irregular("identify/scale", 1, 10, 10, binary32).front() & ~binary32.sign_bit()};
  for (const subject::OptimizerForm form : kForms)
    for (const NumberFormat* format : {&binary32, &binary64, &binary16, &bfloat16})
      for (const bool by_step : {false, true}) {
        const bool is_short = format->width == 16;
        // Whatever the form, `unscale` is the scaler's own.
        if (!by_step && form != subject::OptimizerForm::loop) continue;
        std::vector<std::string_view> tells = {"unscale"};
        if (is_short && is_narrow) tells.emplace_back("output_format");
        if (is_short && !is_narrow) continue;
        all.push_back({"scale with 24 bits, " + std::string(format->name) + ", " +
                           (by_step ? "unscaled by the step, form " + std::string(name_of(form))
                                    : "unscaled"),
                       tells,
                       unscaled_once(long_scale, irregular("identify/gradient", 24, -3, 3, *format),
                                     *format, form, by_step),
                       kGradient | kParameter});
      }
  const std::vector<std::uint64_t> tiny = {dyadic(5, -149, binary32),
                                           dyadic(-8388607, -149, binary32),
                                           dyadic(3, -131, binary32), dyadic(1, -126, binary32)};
  for (const bool by_step : {false, true})
    all.push_back({by_step ? "subnormal gradients and steps" : "subnormal gradients",
                   {"subnormals"},
                   unscaled_once(scalar_power_of_two(10, binary32), tiny, binary32,
                                 subject::OptimizerForm::loop, by_step),
                   kGradient | kParameter});
  if (!is_narrow) return all;
  // Gradients of 16 bits: whether the quotient is rounded to binary32 before.
  for (const NumberFormat* format : {&bfloat16, &binary16})
    for (const NumberFormat* reciprocal :
         std::initializer_list<const NumberFormat*>{nullptr, &binary32, &binary64})
      for (const Case& one : rounded_twice(*format, reciprocal))
        all.push_back(
            {"a gradient of " + std::string(format->name) + " that two roundings lead astray, " +
                 (reciprocal == nullptr ? "divided"
                                        : "times 1/S in " + std::string(reciprocal->name)),
             {"unscale_format"},
             one,
             kGradient});
  return all;
}

}  // namespace ampcheck::properties::identify
