// Master weights in the model of a session.
#include <gtest/gtest.h>

#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

constexpr double kUlp = 0x1p-10;  // of binary16 from 1 to 2

// One binary16 parameter of 1 with a master, learning rate 1.
TrainingWindow with_master(const Policy& policy = {}, double initial = 1) {
  TrainingWindow window(policy);
  window.make_scaler(f32(1), {f32(2), f32(0.5), 1000}, true);
  window.make_parameter("p", binary16, patterns(binary16, {initial}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"}, true);
  return window;
}

void step(TrainingWindow& window, double gradient) {
  backward(window, {gradient});
  window.step("o");
  window.update();
  window.zero_grad("o");
}

Policy stochastic() {
  Policy policy;
  policy.copy_rounding = CopyRounding::stochastic;
  return policy;
}

TEST(TrainingWindowMaster, BeginsAsTheParameter) {
  const TrainingWindow window = with_master();
  ASSERT_TRUE(window.has_master("p"));
  EXPECT_EQ(window.master("p").front().format(), binary32);
  EXPECT_EQ(single(window.master("p").front()), 1);
  EXPECT_EQ(single(window.parameter("p").front()), 1);
  EXPECT_FALSE(session().has_master("p"));
}

TEST(TrainingWindowMaster, MovesAndIsRoundedToTheCopy) {
  TrainingWindow window = with_master();
  step(window, -0.375 * kUlp);
  EXPECT_EQ(single(window.master("p").front()), 1 + 0.375 * kUlp);
  EXPECT_EQ(single(window.parameter("p").front()), 1);
  step(window, -0.375 * kUlp);
  EXPECT_EQ(single(window.master("p").front()), 1 + 0.75 * kUlp);
  EXPECT_EQ(single(window.parameter("p").front()), 1 + kUlp);
}

TEST(TrainingWindowMaster, StaysWithItsCopyOnASkipAndThroughLoading) {
  TrainingWindow window = with_master();
  step(window, -0.375 * kUlp);
  step(window, INFINITY);
  window.save_load();
  EXPECT_EQ(single(window.master("p").front()), 1 + 0.375 * kUlp);
  EXPECT_EQ(single(window.parameter("p").front()), 1);
}

TEST(TrainingWindowMaster, DecayReadsTheMaster) {
  TrainingWindow window(Policy{});
  window.make_scaler(f32(1), {f32(2), f32(0.5), 1000}, true);
  window.make_parameter("p", binary16, patterns(binary16, {1}));
  Hyper hyper = sgd(0.5);
  hyper["weight_decay"] = f32(0.5);
  window.make_optimizer("o", OptimizerRule::sgd, hyper, {"p"}, true);
  step(window, -0.5 * kUlp - 0.5);  // and so p/2 is all but undone
  EXPECT_EQ(single(window.master("p").front()), 1 + 0.25 * kUlp);
  step(window, -0.5);
  EXPECT_EQ(single(window.master("p").front()), 1 + 0.25 * kUlp - 0.0625 * kUlp);
}

TEST(TrainingWindowMaster, EitherNeighbourIsACopyWhereRoundingIsStochastic) {
  TrainingWindow window = with_master(stochastic());
  step(window, -0.125 * kUlp);
  EXPECT_EQ(window.parameter("p").front().patterns(), patterns(binary16, {1, 1 + kUlp}));
  // What was seen stays until the next step that is taken.
  window.saw_parameter("p", {Admissible::of(number(binary16, 1 + kUlp))});
  step(window, NAN);
  EXPECT_EQ(single(window.parameter("p").front()), 1 + kUlp);
  step(window, 0.125 * kUlp);
  EXPECT_EQ(single(window.parameter("p").front()), 1);
}

TEST(TrainingWindowMaster, ThatIsSeenIsTheOneThatIsCopied) {
  TrainingWindow window = with_master();
  step(window, -0.375 * kUlp);
  const std::vector<Admissible> seen = {Admissible::of(f32(1 + 2.75 * kUlp))};
  window.saw_master("p", seen);
  EXPECT_EQ(single(window.parameter("p").front()), 1 + 3 * kUlp);
  // A copy that was seen is what it is.
  window.saw_parameter("p", {Admissible::of(number(binary16, 1))});
  window.saw_master("p", seen);
  EXPECT_EQ(single(window.parameter("p").front()), 1);
  step(window, -0.25 * kUlp);
  EXPECT_EQ(single(window.master("p").front()), 1 + 3 * kUlp);
}

// Not known whether it was taken: nothing is known of either until it is seen.
TEST(TrainingWindowMaster, IsNotKnownAfterAnOpenStep) {
  Policy policy;
  policy.finite_test_is_norm = true;
  TrainingWindow window(policy);
  window.make_scaler(f32(1), {f32(2), f32(0.5), 1000}, true);
  window.make_parameter("p", bfloat16, patterns(bfloat16, {1}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"}, true);
  const auto take = [&](double gradient) {
    window.backward(binary32, 1, {{"p", &bfloat16, &bfloat16, patterns(bfloat16, {gradient})}});
    window.step("o");
    window.update();
    window.zero_grad("o");
  };
  take(0x1p100);
  EXPECT_FALSE(window.master_is_known("p"));
  EXPECT_FALSE(window.parameter_is_known("p"));
  window.saw_parameter("p", {Admissible::of(number(bfloat16, 1))});
  EXPECT_FALSE(window.master_is_known("p"));
  take(1);  // of a master that is not known
  EXPECT_FALSE(window.parameter_is_known("p"));
  window.saw_master("p", {Admissible::of(f32(1))});
  window.saw_parameter("p", {Admissible::of(number(bfloat16, 1))});
  window.saw_scale(Rational(1));
  take(-1);
  EXPECT_TRUE(window.parameter_is_known("p"));
  EXPECT_EQ(single(window.parameter("p").front()), 2);
}

TEST(TrainingWindowMaster, MayBeFlushedWithItsCopy) {
  Policy policy;
  policy.may_flush = true;
  TrainingWindow window(policy);
  window.make_scaler(f32(1), {f32(2), f32(0.5), 1000}, true);
  window.make_parameter("p", bfloat16, patterns(bfloat16, {0x1p-130}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"}, true);
  window.backward(binary32, 1, {{"p", &bfloat16, &bfloat16, {bfloat16.nan()}}});
  window.step("o");
  EXPECT_EQ(window.master("p").front().patterns(), patterns(binary32, {0, 0x1p-130}));
  EXPECT_EQ(window.parameter("p").front().patterns(), patterns(bfloat16, {0, 0x1p-130}));
  // A master that is a normal number may have a subnormal copy.
  TrainingWindow other = with_master(policy, 0x1p-13);
  step(other, 0x1.fp-14);
  EXPECT_EQ(single(other.master("p").front()), 0x1p-18);
  EXPECT_EQ(other.parameter("p").front().patterns(), patterns(binary16, {0, 0x1p-18}));
}

std::string refused(const std::function<void(TrainingWindow&)>& make) {
  TrainingWindow window(Policy{});
  window.make_scaler(f32(1), {f32(2), f32(0.5), 1000}, true);
  window.make_parameter("p", binary16, patterns(binary16, {1}));
  window.make_parameter("q", binary32, patterns(binary32, {1}));
  try {
    make(window);
  } catch (const BadSession& error) {
    return error.what();
  }
  return "";
}

TEST(TrainingWindowMaster, IsOneOfAShortParameterOfOneOptimizer) {
  EXPECT_EQ(refused([](TrainingWindow& w) {
              w.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"q"}, true);
            }),
            "parameters: expected binary16 or bfloat16 where there are master weights, found q of "
            "binary32");
  EXPECT_EQ(refused([](TrainingWindow& w) {
              w.make_optimizer("o", OptimizerRule::adam, {}, {"p"}, true);
            }),
            "master_weights: expected false of an optimizer other than sgd, found true");
  const auto alias = [](TrainingWindow& w) {
    w.make_alias("r", "p");
    w.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"r"}, true);
  };
  EXPECT_EQ(refused(alias),
            "parameters: expected one optimizer for what has master weights, found two for p");
  EXPECT_EQ(refused([](TrainingWindow& w) {
              w.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"}, true);
              w.make_alias("r", "p");
            }),
            "parameters: expected one optimizer for what has master weights, found two for p");
  EXPECT_EQ(refused([](TrainingWindow& w) {
              w.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"}, true);
            }),
            "");
}

}  // namespace
}  // namespace ampcheck::reference
