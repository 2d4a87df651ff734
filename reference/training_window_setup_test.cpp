#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/training_window.hpp"
#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

using Patterns = std::vector<std::uint64_t>;

TEST(TrainingWindow, KeepsItsScaleInTheDeclaredFormat) {
  TrainingWindow window{Policy()};
  window.make_scaler(number(binary64, 65537.3), {f32(2), f32(0.5), 1}, true);
  EXPECT_EQ(static_cast<double>(65537.3f), scale(window));
  EXPECT_THROW(window.make_scaler(number(binary64, 1e300), {f32(2), f32(0.5), 1}, true),
               BadSession);
  TrainingWindow fresh{Policy()};
  EXPECT_THROW(fresh.make_scaler(number(binary64, 1e300), {f32(2), f32(0.5), 1}, true), BadSession);
  EXPECT_THROW(
      TrainingWindow{Policy()}.make_scaler(number(binary64, 1e-300), {f32(2), f32(0.5), 1}, true),
      BadSession);
  EXPECT_THROW(window.make_scaler(f32(0), {f32(2), f32(0.5), 1}, true), BadSession);
}

// The message of the BadSession that f throws.
template <typename Function>
std::string refusal(Function f) {
  try {
    f();
  } catch (const BadSession& error) {
    return error.what();
  }
  return "";
}

TEST(TrainingWindow, NamesASettingOutsideOfItsRange) {
  const double inf = INFINITY, nan = NAN;
  const auto scaler = [](double init, double growth, double backoff, std::int64_t interval) {
    return refusal([&] {
      TrainingWindow{Policy()}.make_scaler(f32(init), {f32(growth), f32(backoff), interval}, true);
    });
  };
  // What is refused is named with its field, with what was expected, and with what was found.
  const auto text = [](const char* field, const char* expected, double found) {
    return std::string(field) + ": expected " + expected + ", found " + to_string(f32(found));
  };
  const char* const kAboveZero = "a finite number above 0";
  EXPECT_EQ("", scaler(1, 2, 0.5, 1));
  for (const double bad : {0.0, -1.0, inf, nan}) {
    EXPECT_EQ(text("init_scale", kAboveZero, bad), scaler(bad, 2, 0.5, 1));
    EXPECT_EQ(text("growth_factor", kAboveZero, bad), scaler(1, bad, 0.5, 1));
    EXPECT_EQ(text("backoff_factor", kAboveZero, bad), scaler(1, 2, bad, 1));
  }
  EXPECT_EQ("growth_interval: expected an integer of at least 1, found 0", scaler(1, 2, 0.5, 0));
  EXPECT_EQ("init_scale: expected a finite number above 0, found 80000000 = -0x0p+0 (binary32)",
            scaler(-0.0, 2, 0.5, 1));
  const auto optimizer = [](OptimizerRule rule, const char* name, double value) {
    return refusal([&] { session().make_optimizer("x", rule, {{name, f32(value)}}, {}); });
  };
  const char* const kFraction = "a number from 0 to below 1";
  for (const double bad : {inf, nan})
    EXPECT_EQ(text("hyper.lr", "a finite number", bad), optimizer(OptimizerRule::sgd, "lr", bad));
  for (const double bad : {-0.5, 1.0})
    EXPECT_EQ(text("hyper.beta2", kFraction, bad), optimizer(OptimizerRule::adamw, "beta2", bad));
  EXPECT_EQ("", optimizer(OptimizerRule::adam, "beta1", 0));
  EXPECT_EQ(text("hyper.eps", "a number of at least 0", -1),
            optimizer(OptimizerRule::adam, "eps", -1));
  EXPECT_EQ(text("hyper.beta1", kFraction, 1), optimizer(OptimizerRule::adam, "beta1", 1));
  EXPECT_EQ("", optimizer(OptimizerRule::adam, "eps", 0));
  EXPECT_EQ("", optimizer(OptimizerRule::adam, "lr", 2));
  EXPECT_EQ("", optimizer(OptimizerRule::sgd, "beta1", 2));  // which it has no use for
  EXPECT_EQ("", refusal([] { session().clip_norm({"o"}, f32(-0.0)); }));
  for (const double bad : {-1.0, inf, nan}) {
    TrainingWindow window = session();
    const std::string refused = text("limit", "a finite number of at least 0", bad);
    EXPECT_EQ(refused, refusal([&] { window.clip_norm({"o"}, f32(bad)); }));
    EXPECT_EQ(refused, refusal([&] { window.clip_value({"o"}, f32(bad)); }));
  }
}

TEST(TrainingWindow, RefusesWhatTheRulesLeaveUndefined) {
  TrainingWindow window = session();
  EXPECT_THROW(window.step("nobody"), BadSession);
  EXPECT_THROW(backward(window, {1, 2, 3}), BadSession);
  EXPECT_THROW(backward(window, {1, 2}, "nothing"), BadSession);
  EXPECT_THROW(backward(window, {1, 2}, "p", 0), BadSession);
  EXPECT_THROW(window.make_parameter("p", binary32, {0}), BadSession);
  EXPECT_THROW(window.make_alias("p", "p"), BadSession);
  window.make_alias("again", "p");
  EXPECT_THROW(window.make_alias("again", "p"), BadSession);
  EXPECT_THROW(window.make_optimizer("o", OptimizerRule::sgd, {}, {}), BadSession);
  EXPECT_THROW(window.make_optimizer("x", OptimizerRule::sgd, {}, {"nothing"}), BadSession);
}

}  // namespace
}  // namespace ampcheck::reference
