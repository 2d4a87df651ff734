// What the tests of norms and those of clips share.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "reference/clipping.hpp"
#include "reference/emulation_test.hpp"

namespace ampcheck::reference {

inline GradientSets tensor(const NumberFormat& f, const std::vector<double>& values) {
  GradientSets sets;
  for (const double x : values) sets.push_back(Admissible::of(number(f, x)));
  return sets;
}

inline Norm norm(const std::vector<GradientSets>& tensors, const Policy& policy = {}) {
  return norm_of(tensors, policy);
}

inline Policy formula(ClipFormula f, double epsilon = 0, bool multiplies = true) {
  Policy policy;
  policy.clip_formula = f;
  policy.clip_epsilon = rational(epsilon);
  policy.unneeded_clip_multiplies = multiplies;
  return policy;
}

inline Number f32(double x) { return number(binary32, x); }

// One evaluation of √Σx²: squares and sums in an order, some fused, drawn at random.
inline double evaluated(const Machine& m, std::vector<double> values, std::mt19937_64& random) {
  std::shuffle(values.begin(), values.end(), random);
  if (random() % 2) {  // a chain with fused multiply-adds here and there
    double sum = 0;
    for (const double x : values)
      sum = random() % 2 ? m.fma(x, x, sum) : m.add(sum, m.multiply(x, x));
    return m.root(sum);
  }
  std::vector<double> nodes;
  for (const double x : values) nodes.push_back(m.multiply(x, x));
  while (nodes.size() > 1) {  // a random tree
    std::swap(nodes[random() % nodes.size()], nodes.back());
    const double a = nodes.back();
    nodes.pop_back();
    double& b = nodes[random() % nodes.size()];
    b = m.add(a, b);
  }
  return m.root(nodes.front());
}

inline double random_value(std::mt19937_64& random, int lowest, int exponents) {
  const double significand = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
  return (random() % 2 ? -1 : 1) *
         std::ldexp(significand,
                    lowest + static_cast<int>(random() % static_cast<unsigned>(exponents)));
}

}  // namespace ampcheck::reference
