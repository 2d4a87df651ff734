#include "properties/clause.hpp"
#include "properties/identify/experiments.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;

ScalerPlan scale_of(int exponent) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(exponent, binary32);
  return plan;
}

// One element, in one micro-batch each.
Case micro_batches(const std::vector<std::uint64_t>& coefficients, int scale) {
  CaseBuilder builder;
  builder.scaler(scale_of(scale)).sgd("o", {zeros("w", 1, binary32)});
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    builder.backward({{"w", vector({coefficients[i]}, binary32)}}, i + 1 == coefficients.size());
  builder.step("o").observe({"parameter/w"});
  return builder.done();
}

// Two optimizers of which one is bad; `unscales`: both are looked through before either steps.
Case two_optimizers(bool first_is_bad, bool unscales) {
  const auto gradient = [](bool is_bad) {
    return vector({is_bad ? binary32.infinity() : power_of_two(0, binary32)}, binary32);
  };
  CaseBuilder builder;
  builder.scaler(scale_of(12))
      .sgd("a", {zeros("v", 1, binary32)})
      .sgd("b", {zeros("w", 1, binary32)})
      .backward({{"v", gradient(first_is_bad)}, {"w", gradient(!first_is_bad)}});
  if (unscales) builder.unscale("a").unscale("b");
  builder.step("a").step("b");
  return builder.done();
}

// The same without any inf of a micro-batch: the sum of the second one's scaled gradients
// overflows.
Case two_optimizers_by_sum() {
  const auto gradients = [](std::uint64_t bits) { return vector({bits}, binary32); };
  CaseBuilder builder;
  builder.scaler(scale_of(13))
      .sgd("a", {zeros("v", 1, binary32)})
      .sgd("b", {zeros("w", 1, binary32)});
  for (const bool last : {false, true})
    builder.backward(
        {{"v", gradients(power_of_two(0, binary32))}, {"w", gradients(dyadic(3, 113, binary32))}},
        last);
  builder.unscale("a").unscale("b").step("a").step("b");
  return builder.done();
}

// Two micro-batches that come to 2^p + 1 units, p the precision of the format.
Case long_sum(const NumberFormat& format) {
  const int scale = 10;
  CaseBuilder builder;
  builder.scaler(scale_of(scale))
      .sgd("o", {zeros("w", 1, format)})
      .backward({{"w", vector({power_of_two(format.precision() - scale, format)}, format)}}, false)
      .backward({{"w", vector({power_of_two(-scale, format)}, format)}})
      .observe({"gradient/w"});
  return builder.done();
}

}  // namespace

std::vector<Experiment> skip_experiments() {
  const std::uint64_t one = power_of_two(0, binary32), infinity = binary32.infinity();
  // 1.5·2^127 once it is scaled with 2^13, twice: the sum is finite only of unscaled gradients.
  const std::uint64_t large = dyadic(3, 113, binary32);
  std::vector<Experiment> all = {
      {"an inf in one of three micro-batches",
       {"bad_micro_batch"},
       micro_batches({one, infinity, one}, 12),
       kStepped},
      {"scaled gradients that overflow in their sum",
       {"accumulation"},
       micro_batches({large, large}, 13),
       kStepped},
      {"an inf in the second of two optimizers",
       {"skip_scope"},
       two_optimizers(false, true),
       kStepped},
      {"an inf in the first of two optimizers",
       {"skip_scope"},
       two_optimizers(true, false),
       kStepped},
      {"a sum that overflows in the second of two optimizers",
       {"skip_scope"},
       two_optimizers_by_sum(),
       kStepped},
  };
  for (const NumberFormat* format : {&binary16, &bfloat16})
    all.push_back({"a sum longer than " + std::string(format->name),
                   {"accumulator"},
                   long_sum(*format),
                   kGradient});
  // Squares of 2^100 are beyond binary32. The learning rate keeps the parameters small.
  CaseBuilder builder;
  builder.scaler(scale_of(12))
      .sgd("o", {zeros("w", 4, binary32)}, -30)
      .backward(
          {{"w", vector(std::vector<std::uint64_t>(4, power_of_two(100, binary32)), binary32)}})
      .step("o");
  all.push_back(
      {"finite gradients whose squares overflow", {"finite_test"}, builder.done(), kStepped});
  return all;
}

}  // namespace ampcheck::properties::identify
