#include "golden/definitions/definitions.hpp"

namespace ampcheck::golden {
namespace {

// (3, 4) in one tensor, or in whatever `tensors` say, clipped to `limit` after unscaling.
subject::Case clip(const ScalerPlan& plan, const std::vector<subject::Tensor>& tensors,
                   const subject::Scalar& limit, const NumberFormat& parameter = binary32,
                   bool with_norm = true) {
  CaseBuilder builder;
  std::vector<subject::Parameter> parameters;
  std::vector<subject::Coefficients> coefficients;
  std::vector<std::string> seen;
  for (const subject::Tensor& tensor : tensors) {
    const std::string name = tensors.size() == 1 ? "w" : "w" + std::to_string(parameters.size());
    parameters.push_back(zeros(name, tensor.bits.size(), parameter));
    coefficients.push_back({name, tensor});
    seen.push_back("gradient/" + name);
  }
  builder.scaler(plan).sgd("o", std::move(parameters)).backward(std::move(coefficients));
  builder.unscale("o").clip_norm({"o"}, limit).observe(seen);
  if (with_norm) builder.observe({"norm"});
  return builder.done();
}

subject::Scalar limit_of(std::int64_t integer) {
  return scalar(dyadic(integer, 0, binary32), binary32);
}

// [SC]: a limit of 0.05 on the original scale leaves 0.02 alone.
Vector by_value() {
  const Real g = real(1, 50), limit = real(1, 20);
  CaseBuilder builder;
  builder.scaler(scale_of(scalar(dyadic(100, 0, binary32), binary32)))
      .sgd("o", {zeros("w", 1, binary32)})
      .backward({{"w", one_of(g)}})
      .unscale("o")
      .observe({"gradient/w"})
      .clip_value({"o"}, limit.scalar())
      .observe({"gradient/w"});
  return {.id = "clipping/limit-of-0.05-leaves-0.02",
          .clause = "clipping/value-after-unscale",
          .source = "SC",
          .sentence =
              "A limit of 0.05 on the original scale leaves a gradient of 0.02 alone; clipping "
              "the scaled 2 to it and dividing by 100 gives 0.0005, forty times too small",
          .played = builder.done(),
          .policies = {reciprocal()},
          .reals = {g, limit},
          .mutants = {"clip-value-before-unscale"}};
}

std::vector<Vector> of_3_4() {
  const subject::Tensor three_four = integers({3, 4});
  return {
      {.id = "clipping/three-four-to-1",
       .clause = "clipping/norm-after-unscale",
       .source = "MUTANTS",
       .sentence =
           "(3, 4) with a norm of 5 is clipped to (0.6, 0.8), whatever the scale; torch adds "
           "1e-6 to the norm",
       .played = clip(scale_of_two(16), {three_four}, limit_of(1)),
       .policies = {torch()},
       .mutants = {"clip-before-unscale"}},
      {.id = "clipping/three-four-in-two-tensors",
       .clause = "clipping/norm-after-unscale",
       .source = "MUTANTS",
       .sentence = "The norm is that of all tensors together: (0.6), (0.8), not (1), (1)",
       .played = clip(scale_of_two(0), {integers({3}), integers({4})}, limit_of(1)),
       .policies = {torch()},
       .mutants = {"clip-per-tensor"}},
      {.id = "clipping/three-four-to-5",
       .clause = "clipping/clipped-values",
       .source = "pytorch 1.9",
       .sentence = "A norm equal to the limit leaves (3, 4) alone, but for an epsilon in the norm",
       .played = clip(scale_of_two(0), {three_four}, limit_of(5)),
       .policies = {torch()}},
      {.id = "clipping/three-four-to-10",
       .clause = "clipping/unneeded-clip-keeps",
       .source = "pytorch 1.9",
       .sentence = "A norm below the limit leaves (3, 4) as it is",
       .played = clip(scale_of_two(0), {three_four}, limit_of(10), binary32, false),
       .policies = {torch()}},
      {.id = "clipping/three-four-in-bfloat16",
       .clause = "clipping/clipped-values",
       .source = "pytorch 1.9",
       .sentence = "In bfloat16 torch makes (0.6015625, 0.80078125) of (3, 4)",
       .played = clip(scale_of_two(0), {integers({3, 4}, bfloat16)}, limit_of(1), bfloat16),
       .policies = {torch()}},
      {.id = "clipping/norm-of-300-and-400",
       .clause = "clipping/norm-formats",
       .source = "MUTANTS",
       .sentence = "The squares of 300 and 400 are no numbers of binary16, and their norm is 500",
       .played = clip(scale_of_two(0), {integers({300, 400}, binary16)}, limit_of(1), binary16),
       .policies = {torch()},
       .mutants = {"norm-in-half"}},
  };
}

std::vector<Vector> around_the_limit() {
  const Real hundredth = real(1, 100), tenth = real(1, 10), g = real(9, 10), limit = real(17, 20);
  return {
      {.id = "clipping/small-stays-small",
       .clause = "clipping/unneeded-clip-keeps",
       .source = "MUTANTS",
       .sentence = "(0.01, 0.01) under a limit of 0.1 is not scaled up to a norm of 0.1",
       .played =
           clip(scale_of_two(0), {patterns({hundredth.scalar().bits, hundredth.scalar().bits})},
                tenth.scalar(), binary32, false),
       .policies = {torch()},
       .reals = {hundredth, tenth},
       .mutants = {"coefficient-not-clamped"}},
      {.id = "clipping/norm-2-below-3",
       .clause = "clipping/unneeded-clip-keeps",
       .source = "MUTANTS",
       .sentence = "A norm of 2 is below a limit of 3, though its square is not",
       .played = clip(scale_of_two(0), {integers({2})}, limit_of(3), binary32, false),
       .diagnosis =
           Diagnosis{4,
                     "gradient/w",
                     0,
                     &binary32,
                     {{"squared-norm-compared", "the squared norm is compared with the limit",
                       reference::Rational(3) / reference::Rational(2)}}}},
      {.id = "clipping/norm-0.9-above-0.85",
       .clause = "clipping/clipped-values",
       .source = "MUTANTS",
       .sentence = "A norm of 0.9 is above a limit of 0.85, though its square is not",
       .played = clip(scale_of_two(0), {one_of(g)}, limit.scalar()),
       .policies = {torch()},
       .reals = {g, limit},
       .mutants = {"squared-norm-compared"}},
  };
}

}  // namespace

std::vector<Vector> clipping_vectors() {
  std::vector<Vector> all = of_3_4();
  for (const Vector& vector : around_the_limit()) all.push_back(vector);
  all.push_back(by_value());
  return all;
}

}  // namespace ampcheck::golden
