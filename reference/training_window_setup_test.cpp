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
  EXPECT_EQ("", scaler(1, 2, 0.5, 1));
  for (const double bad : {0.0, -1.0, inf, nan}) {
    EXPECT_EQ("init_scale is not finite and positive", scaler(bad, 2, 0.5, 1));
    EXPECT_EQ("growth_factor is not finite and positive", scaler(1, bad, 0.5, 1));
    EXPECT_EQ("backoff_factor is not finite and positive", scaler(1, 2, bad, 1));
  }
  EXPECT_EQ("growth_interval is not positive", scaler(1, 2, 0.5, 0));
  const auto optimizer = [](OptimizerRule rule, const char* name, double value) {
    return refusal([&] { session().make_optimizer("x", rule, {{name, f32(value)}}, {}); });
  };
  for (const double bad : {inf, nan})
    EXPECT_EQ("hyper.lr is not finite", optimizer(OptimizerRule::sgd, "lr", bad));
  for (const double bad : {-0.5, 1.0})
    EXPECT_EQ("hyper.beta2 is not from 0 to below 1",
              optimizer(OptimizerRule::adamw, "beta2", bad));
  EXPECT_EQ("", optimizer(OptimizerRule::adam, "beta1", 0));
  EXPECT_EQ("hyper.eps is negative", optimizer(OptimizerRule::adam, "eps", -1));
  EXPECT_EQ("hyper.beta1 is not from 0 to below 1", optimizer(OptimizerRule::adam, "beta1", 1));
  EXPECT_EQ("", optimizer(OptimizerRule::adam, "eps", 0));
  EXPECT_EQ("", optimizer(OptimizerRule::adam, "lr", 2));
  EXPECT_EQ("", optimizer(OptimizerRule::sgd, "beta1", 2));  // which it has no use for
  EXPECT_EQ("", refusal([] { session().clip_norm({"o"}, f32(-0.0)); }));
  for (const double bad : {-1.0, inf, nan}) {
    TrainingWindow window = session();
    EXPECT_EQ("limit is not finite, or negative",
              refusal([&] { window.clip_norm({"o"}, f32(bad)); }));
    EXPECT_EQ("limit is not finite, or negative",
              refusal([&] { window.clip_value({"o"}, f32(bad)); }));
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
