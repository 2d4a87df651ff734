#include "golden/definitions/definitions.hpp"

namespace ampcheck::golden {
namespace {

using reference::Rational;

// Micro-batches of one element each, the accumulator looked at after every one, then unscaled.
subject::Case sum_of(const ScalerPlan& plan, const std::vector<subject::Tensor>& micro_batches,
                     const NumberFormat& parameter = binary32) {
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 1, parameter)});
  for (const subject::Tensor& c : micro_batches)
    builder.backward({{"w", c}}, &c == &micro_batches.back()).observe({"gradient/w"});
  builder.unscale("o").observe({"gradient/w"});
  return builder.done();
}

NamedPolicy narrow() { return {"narrow", {{"accumulator", word("parameter")}}}; }

// [GA]: a linear model 16 -> 1 under mean squared error, 32 samples in 4 micro-batches of 8.
// Features and weights are eighths and targets are quarters, so that nothing rounds in any order.
Vector linear_model() {
  constexpr int kSamples = 32, kFeatures = 16, kMicroBatch = 8;
  std::uint64_t state =
      1;  // a multiplicative generator modulo 2^31 - 1 (Lewis, Goodman & Miller 1969)
  const auto draw = [&state](std::int64_t most) {
    state = state * 16807 % 2147483647;
    return static_cast<std::int64_t>(state % static_cast<std::uint64_t>(2 * most + 1)) - most;
  };
  std::vector<std::int64_t> weights, features, targets;
  for (int j = 0; j < kFeatures; ++j) weights.push_back(draw(8));
  for (int i = 0; i < kSamples * kFeatures; ++i) features.push_back(draw(8));
  for (int i = 0; i < kSamples; ++i) targets.push_back(draw(16));

  const auto tensor = [](const std::vector<std::int64_t>& integers, int exponent,
                         std::vector<std::int64_t> shape) {
    std::vector<std::uint64_t> bits;
    for (const std::int64_t integer : integers) bits.push_back(dyadic(integer, exponent, binary32));
    return subject::Tensor{&binary32, std::move(shape), std::move(bits)};
  };
  CaseBuilder builder;
  builder.scaler(scale_of_two(16)).sgd("o", {zeros("w", kFeatures, binary32)});
  for (int m = 0; m < kSamples / kMicroBatch; ++m) {
    std::vector<Rational> gradient(kFeatures);
    for (int i = m * kMicroBatch; i < (m + 1) * kMicroBatch; ++i) {
      const auto at = [&](int j) { return features[static_cast<std::size_t>(i * kFeatures + j)]; };
      std::int64_t residual = -16 * targets[static_cast<std::size_t>(i)];  // in 64ths
      for (int j = 0; j < kFeatures; ++j) residual += weights[static_cast<std::size_t>(j)] * at(j);
      for (int j = 0; j < kFeatures; ++j)
        gradient[static_cast<std::size_t>(j)] +=
            Rational(2 * residual * at(j)) / Rational(512 * kMicroBatch);
    }
    std::vector<std::uint64_t> bits;
    for (const Rational& g : gradient) bits.push_back(reference::round_to(g, binary32));
    subject::Backward micro_batch;
    micro_batch.loss = scalar_power_of_two(0, binary32);
    micro_batch.coefficients = {{"w", patterns(std::move(bits))}};
    micro_batch.divide = kSamples / kMicroBatch;
    micro_batch.last = m + 1 == kSamples / kMicroBatch;
    builder.add(std::move(micro_batch));
  }
  builder.observe({"gradient/w"}).unscale("o").observe({"gradient/w"});
  return {
      .id = "accumulation/linear-model-4-by-8",
      .clause = "accumulation/sum-of-micro-batches",
      .source = "GA",
      .sentence =
          "A linear model of 16 features under mean squared error: four micro-batches of 8, each "
          "mean divided by 4, give the gradient of the mean over all 32 samples",
      .played = builder.done(),
      .mutants = {"overwrite-not-add"},
      .material = {{"weights", tensor(weights, -3, {kFeatures})},
                   {"samples", tensor(features, -3, {kSamples, kFeatures})},
                   {"targets", tensor(targets, -2, {kSamples})}}};
}

// [GA]: 4 samples a micro-batch, 8 steps, 4 ranks. Sample i is a token of coefficient i.
Vector effective_batch() {
  constexpr std::int64_t kSize = 4, kSteps = 8, kRanks = 4;
  subject::TokenWindow window;
  window.parameter = "w";
  std::int64_t sample = 0;
  for (std::int64_t rank = 0; rank < kRanks; ++rank) {
    window.ranks.emplace_back();
    for (std::int64_t step = 0; step < kSteps; ++step) {
      subject::TokenMicroBatch micro_batch;
      micro_batch.losses = {&binary32, {kSize}, {}};
      micro_batch.coefficients = {&binary32, {kSize, 1}, {}};
      for (std::int64_t i = 0; i < kSize; ++i) {
        micro_batch.labels.push_back(1);
        micro_batch.times.push_back(1);
        micro_batch.losses.bits.push_back(dyadic(++sample, 0, binary32));
        micro_batch.coefficients.bits.push_back(micro_batch.losses.bits.back());
      }
      window.ranks.back().push_back(std::move(micro_batch));
    }
  }
  CaseBuilder builder;
  builder.scaler(scale_of_two(3)).sgd("o", {zeros("w", 1, binary32)});
  builder.add(std::move(window)).unscale("o").observe({"gradient/w"});
  return {.id = "accumulation/effective-batch-of-128",
          .clause = "accumulation/effective-batch",
          .source = "GA",
          .sentence =
              "4 samples in each of 8 micro-batches on each of 4 ranks are a batch of 128, "
              "and the gradient is the mean over all of it: of 1 to 128 it is 64.5",
          .played = builder.ranks(kRanks).done(),
          .mutants = {"batch-without-ranks", "batch-without-steps"}};
}

Vector non_finite() {
  CaseBuilder builder;
  builder.scaler(scale_of_two(3)).sgd("o", {zeros("w", 1, binary32)}, 0);
  subject::Backward bad, good;
  bad.loss = good.loss = scalar_power_of_two(0, binary32);
  bad.divide = good.divide = 2;
  bad.coefficients = {{"w", patterns({nan()})}};
  bad.last = false;
  good.coefficients = {{"w", integers({4})}};
  builder.add(bad)
      .add(good)
      .step("o")
      .observe({"stepped", "parameter/w"})
      .update()
      .observe({"scale"});
  return {.id = "accumulation/nan-then-4",
          .clause = "accumulation/non-finite-micro-batch",
          .source = "F",
          .sentence =
              "A NaN in the first of two micro-batches skips the window; the 2 that would be left "
              "is no mean of anything",
          .played = builder.done(),
          .mutants = {"bad-micro-batch-zeroed"}};
}

Vector overflowing_sum() {
  CaseBuilder builder;
  builder.scaler(scale_of_two(0)).sgd("o", {zeros("w", 1, binary16)}, -4);
  builder.backward({{"w", integers({40000}, binary16)}}, false)
      .backward({{"w", integers({40000}, binary16)}});
  builder.step("o").observe({"stepped", "parameter/w"}).update().observe({"scale"});
  return {.id = "accumulation/sum-beyond-65504",
          .clause = "accumulation/non-finite-micro-batch",
          .source = "F",
          .sentence =
              "40000 and 40000 are finite in binary16 and their sum is not: where it is kept in "
              "binary16 the window is skipped",
          .played = builder.done(),
          .policies = {narrow()}};
}

Vector starts_empty() {
  CaseBuilder builder;
  builder.scaler(scale_of_two(3)).sgd("o", {zeros("w", 1, binary32)}, 0);
  builder.backward({{"w", patterns({infinity()})}}).observe({"gradient/w"}).finish_window("o");
  builder.backward({{"w", integers({1})}})
      .observe({"gradient/w"})
      .step("o")
      .observe({"stepped", "parameter/w"});
  return {.id = "accumulation/one-after-inf",
          .clause = "accumulation/window-starts-empty",
          .source = "F",
          .sentence = "After a window with an infinity the next starts from zero",
          .played = builder.done(),
          .mutants = {"reset-by-multiplication"}};
}

Vector constant_scale() {
  CaseBuilder builder;
  builder.scaler(scale_of_two(16, 1)).sgd("o", {zeros("w", 1, binary32)}, 0);
  builder.backward({{"w", integers({1})}}, false).observe({"seed", "scale"});
  builder.backward({{"w", integers({1})}}).observe({"seed", "scale"});
  builder.unscale("o")
      .observe({"gradient/w"})
      .step("o")
      .observe({"parameter/w"})
      .update()
      .observe({"scale"});
  return {.id = "accumulation/one-scale-a-window",
          .clause = "accumulation/constant-scale",
          .source = "SC",
          .sentence =
              "Gradients of 1 and 1 in one window are scaled alike and sum to 2; the scale grows "
              "at the window's end",
          .played = builder.done(),
          .mutants = {"update-inside-window"}};
}

}  // namespace

std::vector<Vector> accumulation_vectors() {
  return {
      linear_model(),
      effective_batch(),
      non_finite(),
      overflowing_sum(),
      starts_empty(),
      constant_scale(),
      {.id = "accumulation/one-and-ten",
       .clause = "accumulation/sum-of-micro-batches",
       .source = "F",
       .sentence = "1 and 10 sum to 11; the last one alone is 10",
       .played = sum_of(scale_of_two(3), {integers({1}), integers({10})}),
       .mutants = {"overwrite-not-add"}},
      {.id = "accumulation/one-two-three",
       .clause = "accumulation/sum-of-micro-batches",
       .source = "F",
       .sentence = "1, 2 and 3 sum to 6; with gradients cleared in every backward 3 is left",
       .played = sum_of(scale_of_two(3), {integers({1}), integers({2}), integers({3})}),
       .mutants = {"zero-inside"}},
      {.id = "accumulation/2048-and-two-ones",
       .clause = "accumulation/sum-of-micro-batches",
       .source = "F",
       .sentence =
           "2048 + 1 + 1 is 2050; an accumulator in binary16, which has to be declared, may lose "
           "the ones",
       .played =
           sum_of(scale_of_two(0),
                  {integers({2048}, binary16), integers({1}, binary16), integers({1}, binary16)},
                  binary16),
       .policies = {narrow()}},
      {.id = "accumulation/256-and-two-ones",
       .clause = "accumulation/sum-of-micro-batches",
       .source = "F",
       .sentence =
           "256 + 1 + 1 is 258; an accumulator in bfloat16, which has to be declared, may lose "
           "the ones",
       .played = sum_of(
           scale_of_two(0),
           {integers({256}, bfloat16), integers({1}, bfloat16), integers({1}, bfloat16)}, bfloat16),
       .policies = {narrow()}},
  };
}

}  // namespace ampcheck::golden
