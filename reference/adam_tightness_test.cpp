// How near the forms of Adam come to the ends of their sets, in binary32: hill-climbing over the
// bits of gradients, moments and settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "reference/adam_forms_test.hpp"
#include "reference/adam_step.hpp"
#include "reference/hill_climbing_test.hpp"

namespace ampcheck::reference {
namespace {

std::string property(std::string prefix, std::string form) {
  std::erase(form, ',');
  std::replace(form.begin(), form.end(), ' ', '_');
  return prefix + form;
}

double real(std::uint64_t bits) { return as_double({&binary32, bits}); }

// Climbs for every form, with epsilon where it takes it.
template <typename Ratio>
void expect_forms_reach(const char* prefix, const Patterns& start, int steps, Ratio ratio) {
  Policy hat;
  hat.adam_epsilon = AdamEpsilon::hat;
  const auto climb_form = [&](const char* name, const Form& form, const Policy& policy) {
    const double best = climb(start, binary32, steps,
                              [&](const Patterns& bits) { return ratio(bits, form, policy); });
    expect_reached(property(prefix, name), best);
  };
  for (const auto& [name, form] : kPlainForms) climb_form(name, form, Policy());
  climb_form("Keras", keras, hat);
}

// A first step with g of 9 bits and 1 - beta of 6: m, v and both corrections are exact, m/bc1 is g
// and v/bc2 is g², so that the set is U = lr·g/(|g| + eps) and the roundings of an update.
double reached_by_update(double g, const Settings& s, const Form& form, const Policy& policy) {
  Element e;
  form(Machine(binary32), s, false, e, g);
  Moments moments;
  const auto set = adam_step(Admissible::of(binary32, 0), Admissible::of(number(binary32, g)),
                             moments, s.hyper(), WeightDecay::coupled, policy);
  // Epsilon-hat is corrected, too.
  const bool hat = policy.adam_epsilon == AdamEpsilon::hat;
  const Rational root = square_root(Rational(1) - rational(s.beta2)).low;
  const Rational padded = rational(g).abs() + rational(s.eps) / (hat ? root : Rational(1));
  return set ? reached(*set, -rational(s.lr) * rational(g) / padded, e.p) : 0;
}

TEST(Tightness, OfRoundingsOfAnAdamUpdate) {
  const Patterns start{number(binary32, 1.37).bits, number(binary32, 1e-3).bits,
                       number(binary32, 0.7).bits, number(binary32, 1 + 40 * 0x1p-23).bits,
                       number(binary32, 1 + 22 * 0x1p-23).bits};
  const auto beta = [](std::uint64_t x) { return 1 - (1 + static_cast<double>(x % 63)) / 64; };
  expect_forms_reach("adam_update_", start, 1200,
                     [&](const Patterns& bits, const Form& form, const Policy& policy) {
                       const Settings s{.lr = real(bits[1]),
                                        .beta1 = beta(bits[3]),
                                        .beta2 = beta(bits[4]),
                                        .eps = std::fabs(real(bits[2]))};
                       return reached_by_update(real(bits[0] >> 15 << 15), s, form, policy);
                     });
}

// What a long climb came to: ten roundings of which most go one way, so that fewer than seven would
// not hold them.
TEST(Tightness, OfAnAdamUpdateIsMoreThanSixRoundings) {
  const Settings s{
      .lr = 0x1.185628p-13, .beta1 = 3.0 / 64, .beta2 = 30.0 / 64, .eps = 0x1.3adc02p-6};
  EXPECT_GT(reached_by_update(17, s, reciprocals, Policy()), 0.6);
}

// Any step: the gradient, both moments, their age and the settings are what they are.
TEST(Tightness, OfAdamSteps) {
  const Patterns start{number(binary32, 1.37).bits,  number(binary32, 1e-3).bits,
                       number(binary32, 1e-3).bits,  number(binary32, 0.9).bits,
                       number(binary32, 0.999).bits, number(binary32, 0.3).bits,
                       number(binary32, 1.2).bits};
  expect_forms_reach(
      "adam_step_", start, 500, [](const Patterns& bits, const Form& form, const Policy& policy) {
        const double g = real(bits[0]), v = std::fabs(real(bits[6]));
        const Settings s{.lr = real(bits[1]),
                         .beta1 = real(bits[3]),
                         .beta2 = real(bits[4]),
                         .eps = std::fabs(real(bits[2]))};
        if (s.beta1 < 0 || s.beta1 >= 1 || s.beta2 < 0 || s.beta2 >= 1) return 0.0;
        Element e{.p = 0, .m = real(bits[5]), .v = v, .t = static_cast<int>(bits[6] % 16)};
        Moments moments{rational(e.m), rational(e.v), e.t};
        const Rational beta1 = rational(s.beta1), beta2 = rational(s.beta2), one(1);
        const Rational m = beta1 * moments.first.low + (one - beta1) * rational(g);
        const Rational squares = beta2 * moments.second.low + (one - beta2) * rational(g * g);
        Rational power1 = beta1, power2 = beta2;
        for (int t = 0; t < e.t; ++t) {
          power1 *= beta1;
          power2 *= beta2;
        }
        form(Machine(binary32), s, false, e, g);
        const auto set = adam_step(Admissible::of(binary32, 0), Admissible::of(number(binary32, g)),
                                   moments, s.hyper(), WeightDecay::coupled, policy);
        if (!set) return 0.0;
        const bool hat = policy.adam_epsilon == AdamEpsilon::hat;
        const Rational bias2 = one - power2;
        const Rational root = hat ? square_root(squares).low / square_root(bias2).low
                                  : square_root(squares / bias2).low;
        const Rational eps = hat ? rational(s.eps) / square_root(bias2).low : rational(s.eps);
        return reached(*set, -rational(s.lr) * m / (one - power1) / (root + eps), e.p);
      });
}

}  // namespace
}  // namespace ampcheck::reference
