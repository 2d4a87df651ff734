#include <algorithm>

#include "properties/clause.hpp"
#include "properties/draw.hpp"
#include "properties/identify/experiments.hpp"
#include "reference/clipping.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;

using Tensors = std::vector<std::vector<std::uint64_t>>;

// One window: its tensors and the limit.
struct Window {
  Tensors gradients;
  Scalar limit;
};

Case clips(const Scalar& scale, const std::vector<Window>& windows, const NumberFormat& format) {
  ScalerPlan plan;
  plan.init_scale = scale;
  std::vector<subject::Parameter> parameters;
  std::vector<std::string> gradients;
  for (std::size_t i = 0; i < windows.front().gradients.size(); ++i) {
    const std::string name = "p" + std::to_string(i);
    parameters.push_back(zeros(name, windows.front().gradients[i].size(), format));
    gradients.push_back("gradient/" + name);
  }
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", parameters);
  for (const Window& window : windows) {
    std::vector<subject::Coefficients> coefficients;
    for (std::size_t i = 0; i < window.gradients.size(); ++i)
      coefficients.push_back({parameters[i].name, vector(window.gradients[i], format)});
    builder.backward(std::move(coefficients)).unscale("o").observe(gradients);
    builder.clip_norm({"o"}, window.limit).observe({"norm"}).observe(gradients);
    builder.finish_window("o");
  }
  return builder.done();
}

// Fifteen odd integers from 3 to 21, whose squares have a sum q that is odd, and a sixteenth that
// makes the norm (q + 1)/2: q + ((q - 1)/2)² = ((q + 1)/2)². That is 68 to 3308, and all sums of
// squares are integers below 2^24, so that norms come out exactly in every order.
std::vector<std::int64_t> integers_of_exact_norm(Draw& draw) {
  std::vector<std::int64_t> integers;
  std::int64_t squares = 0;
  for (int i = 0; i < 15; ++i) {
    integers.push_back(2 * draw.between(1, 10) + 1);
    squares += integers.back() * integers.back();
  }
  integers.push_back((squares - 1) / 2);
  return integers;
}

// That of such integers.
std::int64_t exact_norm(const std::vector<std::int64_t>& integers) { return integers.back() + 1; }

std::vector<std::uint64_t> bits_of(const std::vector<std::int64_t>& integers, int exponent,
                                   const NumberFormat& format) {
  std::vector<std::uint64_t> bits;
  for (const std::int64_t x : integers) bits.push_back(dyadic(x, exponent, format));
  return bits;
}

// Limits with all their bits and exponents from `low` to `high`, times whose reciprocals, both
// rounded, is not 1: so the formulas part.
std::vector<Scalar> limits(std::string_view name, std::size_t size, int low, int high) {
  std::vector<Scalar> result;
  for (const std::uint64_t bits : irregular(name, 64, low, high, binary32)) {
    const Scalar limit = {&binary32, bits & ~binary32.sign_bit()};
    const Rational value = value_of(limit.bits, binary32);
    const Rational reciprocal = value_of(round_to(Rational(1) / value, binary32), binary32);
    if (result.size() < size && value_of(round_to(value * reciprocal, binary32), binary32) != 1)
      result.push_back(limit);
  }
  return result;
}

Rational in_binary32(const Rational& x) { return value_of(round_to(x, binary32), binary32); }

// Whether M/N and (1/N)·M, each, give some element a value that the other does not admit.
bool formulas_part(const std::vector<std::int64_t>& integers, const Scalar& limit) {
  const Rational n(exact_norm(integers)), m = value_of(limit.bits, binary32);
  const Norm norm{Admissible::of(binary32, round_to(n, binary32)), std::nullopt, Exact(n)};
  const auto parts = [&](const Rational& factor, ClipFormula other) {
    Policy policy;
    policy.clip_formula = other;
    return std::ranges::any_of(integers, [&](std::int64_t g) {
      const Admissible element = Admissible::of(binary32, round_to(Rational(g), binary32));
      return !clipped_by_norm(element, norm, {limit.format, limit.bits}, policy)
                  .contains(round_to(factor * g, binary32));
    });
  };
  return parts(in_binary32(m / n), ClipFormula::reciprocal_product) &&
         parts(in_binary32(in_binary32(Rational(1) / n) * m), ClipFormula::quotient);
}

// Gradients of these integers under limits with exponents from `low` to `low` + 2;
// where they are below the norm, such as part the formulas. (limits() parts the third one.)
std::vector<Window> exact_windows(std::size_t number, int low) {
  std::vector<Window> windows;
  Draw draw(1, "identify/integers", static_cast<std::uint64_t>(low));
  for (const Scalar& limit : limits("identify/limit", number, low, low + 2)) {
    std::vector<std::int64_t> integers = integers_of_exact_norm(draw);
    const bool clips = value_of(limit.bits, binary32) < Rational(exact_norm(integers));
    for (int tries = 0; clips && tries < 100 && !formulas_part(integers, limit); ++tries)
      integers = integers_of_exact_norm(draw);
    windows.push_back({{bits_of(integers, 0, binary32)}, limit});
  }
  return windows;
}

std::vector<Window> irregular_windows(int exponent, std::size_t size, const NumberFormat& format) {
  std::vector<Window> windows;
  for (int i = 0; i < 3; ++i) {
    const auto tensor = [&](const char* name) {
      return irregular(name + std::to_string(i), size, exponent, exponent + 1, format);
    };
    windows.push_back({{tensor("identify/first"), tensor("identify/second"), tensor("identify/3")},
                       scalar_power_of_two(exponent - 3, binary32)});
  }
  return windows;
}

}  // namespace

std::vector<Experiment> clip_experiments(bool is_narrow) {
  const Scalar power = scalar_power_of_two(10, binary32);
  const unsigned both = kGradient | kNorm;
  std::vector<Experiment> all = {
      {"clips of exact norms to irregular limits",
       {"clip_formula", "norm_input", "norm_algorithm"},
       clips(power, exact_windows(4, 3), binary32),
       both},
      {"irregular limits above the norm",
       {"unneeded_clip"},
       clips(power, exact_windows(4, 12), binary32),
       both},
      {"tensors of irregular norms",
       {"norm_algorithm"},
       clips(power, irregular_windows(0, 5, binary32), binary32),
       both},
      {"norms whose squares underflow",
       {"norm_algorithm"},
       clips(power, irregular_windows(-80, 5, binary32), binary32),
       both},
  };
  // (1, 1) four times: the sum of squares is exact, and every tensor's norm is √2.
  std::vector<Window> halves;
  for (const int exponent : {0, 1, 2, 3})
    halves.push_back({Tensors(2, bits_of({1, 1}, exponent, binary32)),
                      scalar_power_of_two(exponent - 1, binary32)});
  all.push_back({"tensors whose own norms are irrational",
                 {"norm_algorithm"},
                 clips(power, halves, binary32),
                 both});
  for (const Scalar& scale : limits("identify/clip scale", 1, 10, 11))
    all.push_back({"exact norms under an irregular scale",
                   {"norm_input"},
                   clips(scale, exact_windows(4, 4), binary32),
                   both});
  if (is_narrow)
    for (const NumberFormat* format : {&bfloat16, &binary16})
      all.push_back({"norms of " + std::string(format->name),
                     {"norm_format"},
                     clips(power, irregular_windows(0, 3, *format), *format),
                     both});
  return all;
}

// A norm of 7·2^-60, whose squares are normal numbers of binary32.
Experiment epsilon_experiment() {
  const std::vector<std::uint64_t> gradient = bits_of({2, 3, 6}, -60, binary32);
  return {"a norm of 7·2^-60",
          {"clip_epsilon"},
          clips(scalar_power_of_two(10, binary32),
                {{{gradient}, scalar_power_of_two(-60, binary32)}}, binary32),
          kGradient | kNorm};
}

}  // namespace ampcheck::properties::identify
