#include "golden/definitions/definitions.hpp"

namespace ampcheck::golden {
namespace {

// [SC]: a true gradient of 0.02, S = 100, learning rate 0.1.
std::vector<Vector> of_0_02() {
  const Real g = real(1, 50), lr = real(1, 10, binary64);
  const auto start = [&] {
    CaseBuilder builder;
    builder.scaler(scale_of(scalar(dyadic(100, 0, binary32), binary32)))
        .optimizer(sgd("o", {zeros("w", 1, binary32)}, lr))
        .backward({{"w", one_of(g)}})
        .observe({"seed", "gradient/w"});
    return builder;
  };
  return {
      {.id = "scaling/unscaled-0.02-at-100",
       .clause = "scaling/any-scale-round-trip",
       .source = "SC",
       .sentence =
           "A true gradient of 0.02 is 2 under a scale of 100, and unscaled it is 0.02 again",
       .played = start().unscale("o").observe({"gradient/w"}).done(),
       .policies = {reciprocal()},
       .reals = {g, lr}},
      {.id = "scaling/step-of-0.002",
       .clause = "scaling/step-size-unchanged",
       .source = "SC",
       .sentence =
           "A gradient of 0.02, a scale of 100 and a learning rate of 0.1 move the weight by "
           "0.002; the scaled gradient would move it by 0.2, a hundred times too far",
       .played = start().step("o").observe({"parameter/w"}).done(),
       .policies = {reciprocal(), {"fused", {{"step_arithmetic", word("fused")}}}},
       .reals = {g, lr},
       .mutants = {"never-unscaled-step"}},
  };
}

// [LS]: 2^-26 and 8 in binary16, at both ends of the range of scales in which both survive.
Vector survival(const std::string& slug, const subject::Scalar& scale,
                const std::string& sentence) {
  subject::Backward micro_batch;
  micro_batch.loss = scalar_power_of_two(0, binary32);
  micro_batch.coefficients = {
      {"w", patterns({power_of_two(-26, binary32), power_of_two(3, binary32)}), &binary16}};
  micro_batch.own_product = true;
  CaseBuilder builder;
  builder.scaler(scale_of(scale)).sgd("o", {zeros("w", 2, binary32)});
  builder.add(micro_batch).observe({"gradient/w"});
  return {.id = "scaling/survival-" + slug,
          .clause = "scaling/survival-range",
          .source = "LS",
          .sentence = sentence,
          .played = builder.done()};
}

std::vector<Vector> survivals() {
  const auto next = [](std::uint64_t bits, int step) {
    return scalar(bits + static_cast<std::uint64_t>(step), binary32);
  };
  const std::uint64_t two = power_of_two(1, binary32), most = dyadic(8190, 0, binary32);
  return {
      survival("at-1", scalar_power_of_two(0, binary32),
               "2^-26 rounds to zero in binary16, and 8 does not overflow"),
      survival("at-2", scalar(two, binary32),
               "2^-25 lies half way between 0 and the smallest subnormal of binary16, and the tie "
               "goes to zero"),
      survival("above-2", next(two, 1),
               "Anything above the tie is saved, at the cost of its value"),
      survival("at-4", scalar_power_of_two(2, binary32),
               "2^-24 is the smallest subnormal of binary16: the gradient is back after unscaling"),
      survival("at-4096", scalar_power_of_two(12, binary32),
               "The largest power of two at which both 2^-26 and 8 survive"),
      survival("below-8190", next(most, -1),
               "The largest number below 8190 keeps 8 below 65520, which rounds to 65504"),
      survival("at-8190", scalar(most, binary32),
               "8190 makes 65520 of 8, a tie that goes to infinity"),
      survival("at-8192", scalar_power_of_two(13, binary32), "65536 is no number of binary16"),
  };
}

// Casts to binary16 as the subject forms S·c itself.
Vector cast(const std::string& slug, const std::string& source, const std::string& sentence,
            const subject::Scalar& scale, const subject::Tensor& values) {
  subject::Backward micro_batch;
  micro_batch.loss = scalar_power_of_two(0, binary32);
  micro_batch.coefficients = {{"w", values, &binary16}};
  micro_batch.own_product = true;
  CaseBuilder builder;
  builder.scaler(scale_of(scale)).sgd("o", {zeros("w", values.bits.size(), binary32)});
  builder.add(micro_batch).observe({"gradient/w"});
  return {.id = "scaling/" + slug,
          .clause = "scaling/survival-range",
          .source = source,
          .sentence = sentence,
          .played = builder.done()};
}

std::vector<Vector> casts() {
  const subject::Scalar one = scalar_power_of_two(0, binary32);
  // 1 + 3·2^-11 lies between two numbers of binary16; 1 + 2^-11 + 2^-20 just above such a place.
  Vector ties = cast("cast-at-ties", "MUTANTS",
                     "A cast to binary16 rounds to nearest, ties to even, and never just down", one,
                     patterns({dyadic((1 << 11) + 3, -11, binary32),
                               dyadic((1 << 20) + (1 << 9) + 1, -20, binary32)}));
  ties.mutants = {"truncating-cast"};
  Vector beyond = cast("cast-beyond-65504", "MUTANTS",
                       "A product beyond 65520 overflows to infinity; it does not saturate", one,
                       integers({1000000}));
  beyond.mutants = {"saturating-cast"};
  // The product lies next to a tie of binary16, from which rounding to binary32 first takes it
  // away.
  Vector twice = cast("cast-rounded-once", "MUTANTS",
                      "RN(S·c) is rounded once: through binary32 it would be the number below",
                      scalar(0x46d86558, binary32), patterns({0x1f2f}, binary16));
  const reference::Rational below = reference::value_of(0x5a12, binary16);
  twice.diagnosis = {
      2,
      "gradient/w",
      0,
      &binary32,
      {{"double-rounded-cast", "S·c is rounded to binary32 and then to binary16", below}}};
  return {ties, beyond, twice};
}

std::vector<Vector> of_mutants() {
  CaseBuilder once, before, below, disabled, seed, reciprocals, off, sixty, subnormal;
  once.scaler(scale_of_two(16)).sgd("o", {zeros("w", 1, binary32)}, 0);
  once.backward({{"w", integers({1})}})
      .observe({"gradient/w"})
      .unscale("o")
      .observe({"gradient/w"});
  once.step("o").observe({"parameter/w"});

  before.scaler(scale_of_two(2, 2)).sgd("o", {zeros("w", 1, binary32)}, 0);
  for (int window = 0; window < 4; ++window)
    before.backward({{"w", integers({1})}})
        .unscale("o")
        .observe({"gradient/w"})
        .step("o")
        .update()
        .observe({"scale", "parameter/w"})
        .zero_grad("o");

  below.scaler(scale_of_two(-2)).sgd("o", {zeros("w", 1, binary32)}, 0);
  below.backward({{"w", integers({4})}})
      .observe({"gradient/w"})
      .unscale("o")
      .observe({"gradient/w"});

  ScalerPlan none = scale_of_two(16);
  none.enabled = false;
  disabled.scaler(none).sgd("o", {zeros("w", 1, binary32)}, 0);
  disabled.backward({{"w", patterns({dyadic((1 << 20) + 1, -20, binary32)})}})
      .observe({"gradient/w"})
      .step("o")
      .observe({"parameter/w"});

  seed.scaler(scale_of_two(16)).sgd("o", {zeros("w", 1, binary32)});
  seed.backward({{"w", integers({1})}}).observe({"seed"});

  reciprocals.scaler(scale_of_two(25)).sgd("o", {zeros("w", 1, binary16)});
  reciprocals.backward({{"w", patterns({power_of_two(-14, binary16)}, binary16)}})
      .unscale("o")
      .observe({"gradient/w"});

  off.scaler(scale_of(scalar(dyadic(3, 20, binary32), binary32)))
      .sgd("o", {zeros("w", 1, binary32)});
  off.backward({{"w", patterns({power_of_two(-14, binary32)})}})
      .unscale("o")
      .observe({"gradient/w"});

  sixty.scaler(scale_of(scalar(dyadic(1000, 0, binary32), binary32)))
      .sgd("o", {zeros("w", 1, binary32)});
  sixty.backward({{"w", integers({60}, binary16)}}).observe({"gradient/w"});
  sixty.unscale("o").observe({"gradient/w"});

  subnormal.scaler(scale_of_two(0)).sgd("o", {zeros("w", 1, binary32)});
  subnormal.backward({{"w", patterns({power_of_two(-130, binary32)})}})
      .unscale("o")
      .observe({"gradient/w"});

  return {
      {.id = "scaling/unscaled-once",
       .clause = "scaling/unscale-once",
       .source = "MUTANTS",
       .sentence =
           "An unscale before the step and the step together divide by S once: 1, not 1/65536",
       .played = once.done(),
       .mutants = {"unscale-twice"}},
      {.id = "scaling/growing-every-second-step",
       .clause = "scaling/unscale-with-the-scale-that-scaled",
       .source = "MUTANTS",
       .sentence = "The scale grows after every second step, and each gradient is divided by the "
                   "scale it was scaled with: 1, 1, 1, 1, not 1, 0.5, 1, 0.5",
       .played = before.done(),
       .mutants = {"update-before-unscale"}},
      {.id = "scaling/quarter",
       .clause = "scaling/scale-below-one",
       .source = "LS",
       .sentence = "A scale of 1/4 scales 4 to 1, and unscaling gives 4 back",
       .played = below.done(),
       .mutants = {"scale-clamped-to-one"}},
      {.id = "scaling/disabled-keeps-bits",
       .clause = "scaling/disabled-is-identity",
       .source = "MUTANTS",
       .sentence = "1 + 2^-20 has more bits than binary16, and a disabled scaler keeps them all",
       .played = disabled.done(),
       .mutants = {"disabled-still-rounds"}},
      {.id = "scaling/seed-65536",
       .clause = "scaling/seed-is-the-scale",
       .source = "MUTANTS",
       .sentence = "The cotangent of a loss in binary32 is 65536, which binary16 does not have",
       .played = seed.done(),
       .mutants = {"seed-in-half"}},
      {.id = "scaling/reciprocal-of-2-25",
       .clause = "scaling/power-of-two-round-trip",
       .source = "MUTANTS",
       .sentence = "2^-25 is zero in binary16, and the gradient must survive being divided by 2^25",
       .played = reciprocals.done(),
       .policies = {reciprocal()},
       .mutants = {"reciprocal-in-gradient-format"}},
      {.id = "scaling/reciprocal-of-3-times-2-20",
       .clause = "scaling/any-scale-round-trip",
       .source = "confirmed",
       .sentence = "1/(3·2^20) is a subnormal of binary16 with two significant bits: 6.25 % off",
       .played = off.done(),
       .policies = {reciprocal()},
       .mutants = {"reciprocal-in-gradient-format"}},
      {.id = "scaling/sixty-at-1000",
       .clause = "scaling/any-scale-round-trip",
       .source = "MUTANTS",
       .sentence = "60000 in binary16 under a scale of 1000: 60 by division, the number above by a "
                   "reciprocal in binary32",
       .played = sixty.done(),
       .policies = {reciprocal()},
       .diagnosis =
           Diagnosis{3,
                     "gradient/w",
                     0,
                     &binary32,
                     {{"unscale-in-half", "the reciprocal and the product are rounded to binary16",
                       reference::Rational(1921) / reference::Rational(32)}}}},
      {.id = "scaling/subnormal-at-1",
       .clause = "scaling/any-scale-round-trip",
       .source = "MUTANTS",
       .sentence = "A subnormal of binary32 is kept, unless the policy says that it may be flushed",
       .played = subnormal.done(),
       .policies = {{"flushing", {{"subnormals", word("may_flush")}}}}},
  };
}

}  // namespace

std::vector<Vector> scaling_vectors() {
  std::vector<Vector> all = of_0_02();
  for (const auto& more : {survivals(), casts(), of_mutants()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace ampcheck::golden
