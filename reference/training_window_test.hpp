// Sessions for the tests of the model, and what is seen of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/emulation_test.hpp"
#include "reference/training_window.hpp"

namespace ampcheck::reference {

inline Number f32(double x) { return number(binary32, x); }

inline std::vector<std::uint64_t> patterns(const NumberFormat& f,
                                           const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double x : values) result.push_back(number(f, x).bits);
  return result;
}

inline Hyper sgd(double lr, double momentum = 0) {
  Hyper hyper{{"lr", f32(lr)}};
  if (momentum != 0) hyper["momentum"] = f32(momentum);
  return hyper;
}

// A scaler of 2^10 that grows after two clean steps, and one parameter of two elements with SGD.
inline TrainingWindow session(const Policy& policy = {}, double scale = 1024, double momentum = 0) {
  TrainingWindow window(policy);
  window.make_scaler(f32(scale), {f32(2), f32(0.5), 2}, true);
  window.make_parameter("p", binary32, patterns(binary32, {0, 1}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(0.25, momentum), {"p"});
  return window;
}

inline void backward(TrainingWindow& window, const std::vector<double>& coefficients,
                     const std::string& parameter = "p", std::int64_t divide = 1) {
  window.backward(binary32, divide,
                  {{parameter, &binary16, &binary16, patterns(binary16, coefficients)}});
}

inline double single(const Admissible& set) { return as_double({&set.format(), set.single()}); }
inline double scale(const TrainingWindow& window) {
  EXPECT_EQ(1u, window.scales().size());
  return as_double({&binary64, round_to(window.scales().front().scale, binary64)});
}

}  // namespace ampcheck::reference
