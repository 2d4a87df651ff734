// Schedules of learning rates in the model of a session.
#include <gtest/gtest.h>

#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

TrainingWindow scheduled(const Policy& policy = {}) {
  TrainingWindow window(policy);
  window.make_scaler(f32(1), {f32(2), f32(0.5), 1000}, true);
  window.make_parameter("p", binary32, patterns(binary32, {0}));
  window.make_optimizer("o", OptimizerRule::sgd, {}, {"p"});
  window.set_schedule("o", {f32(1), f32(0.25), f32(0.0625)});
  return window;
}

// How far a step with gradient -1 moves the parameter.
double rate_of(TrainingWindow& window, double gradient = -1) {
  const double before = single(window.parameter("p").front());
  backward(window, {gradient});
  window.step("o");
  window.update();
  window.zero_grad("o");
  return single(window.parameter("p").front()) - before;
}

TEST(TrainingWindowSchedule, IsTakenInTurnAndItsLastRateStays) {
  TrainingWindow window = scheduled();
  for (const double rate : {1.0, 0.25, 0.0625, 0.0625, 0.0625}) EXPECT_EQ(rate_of(window), rate);
}

TEST(TrainingWindowSchedule, HoldsOnASkipAndThroughLoading) {
  TrainingWindow window = scheduled();
  EXPECT_EQ(rate_of(window), 1);
  EXPECT_EQ(rate_of(window, INFINITY), 0);
  window.save_load();
  window.saw_scale(Rational(1));
  EXPECT_EQ(rate_of(window), 0.25);
}

TEST(TrainingWindowSchedule, AdvancesOnASkipWhereThatIsDeclared) {
  Policy policy;
  policy.schedule_advances_on_skip = true;
  TrainingWindow window = scheduled(policy);
  EXPECT_EQ(rate_of(window, INFINITY), 0);
  window.saw_scale(Rational(1));
  EXPECT_EQ(rate_of(window), 0.25);
}

// A step that may have been taken may have been counted; what is shown decides.
TEST(TrainingWindowSchedule, IsNotKnownAfterAnOpenStep) {
  Policy policy;
  policy.finite_test_is_norm = true;
  const auto open_step = [](TrainingWindow& window, std::optional<bool> stepped) {
    window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, {0x1p100})}});
    window.step("o", stepped);
    window.update();
    window.zero_grad("o");
    window.saw_scale(Rational(1));
    window.saw_parameter("p", {Admissible::of(f32(0))});
  };
  TrainingWindow window = scheduled(policy);
  open_step(window, {});
  backward(window, {-1});
  window.step("o");
  EXPECT_FALSE(window.parameter_is_known("p"));
  for (const bool stepped : {true, false}) {
    TrainingWindow other = scheduled(policy);
    open_step(other, stepped);
    EXPECT_EQ(rate_of(other), stepped ? 0.25 : 1) << stepped;
  }
  policy.schedule_advances_on_skip = true;
  for (const std::optional<bool> stepped : {std::optional<bool>(), {true}, {false}}) {
    TrainingWindow counted = scheduled(policy);
    open_step(counted, stepped);
    EXPECT_EQ(rate_of(counted), 0.25);
  }
}

TEST(TrainingWindowSchedule, StandsInThePlaceOfTheRate) {
  TrainingWindow window = session();  // lr 1/4
  EXPECT_NO_THROW(window.set_schedule("o", {f32(0.25), f32(0)}));
  EXPECT_NO_THROW(window.set_schedule("o", {f32(0.25), f32(1)}));
  EXPECT_NO_THROW(window.set_schedule("o", {}));
  const auto refused = [&](std::vector<Number> rates) -> std::string {
    try {
      window.set_schedule("o", std::move(rates));
    } catch (const BadSession& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused({f32(1)}).substr(0, 51), "hyper.lr: expected none, or the first of the schedu");
  EXPECT_EQ(refused({f32(0.25), f32(-1)}).substr(0, 50),
            "schedule: expected finite numbers of at least 0, f");
  EXPECT_EQ(refused({f32(0.25), f32(INFINITY)}).substr(0, 50),
            "schedule: expected finite numbers of at least 0, f");
}

}  // namespace
}  // namespace ampcheck::reference
