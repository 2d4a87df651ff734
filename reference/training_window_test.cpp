#include "reference/training_window.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/training_window_test.hpp"

namespace ampcheck::reference {
namespace {

using Patterns = std::vector<std::uint64_t>;

TEST(TrainingWindow, TakesACleanStep) {
  TrainingWindow window = session();
  EXPECT_FALSE(window.has_gradients("o"));
  backward(window, {1, 3}, "p", 2);
  backward(window, {2, -1}, "p", 2);
  EXPECT_EQ(1024, single(window.seed()));
  EXPECT_EQ(512, single(window.cotangent()));
  EXPECT_EQ(1536, single(window.scaled_gradient("p")[0]));
  EXPECT_EQ(1.5, single(window.unscaled_gradient("p")[0]));
  EXPECT_FALSE(window.is_unscaled("p"));
  EXPECT_EQ(Verdict::clean, window.verdict("o"));
  window.unscale("o");
  EXPECT_TRUE(window.is_unscaled("p"));
  window.step("o");
  EXPECT_EQ(-0.375, single(window.parameter("p")[0]));
  EXPECT_EQ(0.75, single(window.parameter("p")[1]));
  EXPECT_TRUE(window.can_update());
  window.update();
  EXPECT_FALSE(window.can_update());
  EXPECT_EQ(1024, scale(window));
  window.zero_grad("o");
  backward(window, {1, 1});
  window.step("o");
  window.update();
  EXPECT_EQ(2048, scale(window));  // two clean steps
}

TEST(TrainingWindow, SavesEverythingButTheGradients) {
  TrainingWindow window = session({}, 1024, 0.5);
  backward(window, {1, 1});
  window.step("o");
  window.update();
  window.save_load();
  EXPECT_FALSE(window.has_gradient("p"));
  EXPECT_EQ(-0.25, single(window.parameter("p")[0]));
  backward(window, {1, 1});
  EXPECT_EQ(1024, single(window.scaled_gradient("p")[0]));  // not 2048
  window.step("o");
  EXPECT_EQ(-0.625, single(window.parameter("p")[0]));  // m = 1.5
  window.update();
  EXPECT_EQ(2048, scale(window));
}

TEST(TrainingWindow, SkipsOverflows) {
  TrainingWindow window = session();
  window.saw_state("p", "momentum_buffer", binary32, {7, 8});
  backward(window, {64, 1});  // 65536 in binary16
  EXPECT_EQ(Verdict::overflow, window.verdict("o"));
  window.step("o");
  EXPECT_EQ(0, single(window.parameter("p")[0]));
  EXPECT_EQ(1, single(window.parameter("p")[1]));
  ASSERT_NE(nullptr, window.kept_state("p", "momentum_buffer"));
  EXPECT_EQ((Patterns{7, 8}), *window.kept_state("p", "momentum_buffer"));
  window.update();
  EXPECT_EQ(512, scale(window));
  window.zero_grad("o");
  backward(window, {64, 1});
  EXPECT_EQ(Verdict::clean, window.verdict("o"));
  window.step("o");
  EXPECT_EQ(-16, single(window.parameter("p")[0]));
  EXPECT_EQ(nullptr, window.kept_state("p", "momentum_buffer"));
}

TEST(TrainingWindow, SkipsWhatUnscalingMakesInfinite) {
  TrainingWindow window = session({}, 0x1p-100);
  window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, {0x1p127, 1})}});
  // 2^27 in the accumulator; nothing non-finite before unscaling, nor after.
  EXPECT_EQ(Verdict::clean, window.verdict("o"));
  window.zero_grad("o");
  window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, {0x1p127, 1})}}, {},
                  f32(1));
  EXPECT_EQ(0x1p127, single(window.scaled_gradient("p")[0]));
  EXPECT_EQ(Verdict::overflow, window.verdict("o"));
}

TEST(TrainingWindow, HasNothingToJudgeWithoutGradients) {
  TrainingWindow window = session();
  EXPECT_FALSE(window.has_gradient("p"));
  EXPECT_TRUE(window.scaled_gradient("p").empty());
  EXPECT_FALSE(window.can_update());
  window.step("o");
  EXPECT_EQ(0, single(window.parameter("p")[0]));
  window.update();
  EXPECT_EQ(1024, scale(window));
}

TEST(TrainingWindow, DisabledScalesNothing) {
  TrainingWindow window{Policy()};
  window.make_scaler(f32(1024), {f32(2), f32(0.5), 1}, false);
  window.make_parameter("p", binary32, patterns(binary32, {0}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(0.5), {"p"});
  backward(window, {3});
  EXPECT_EQ(1, single(window.seed()));
  EXPECT_EQ(3, single(window.unscaled_gradient("p")[0]));
  window.step("o");
  window.update();
  EXPECT_EQ(-1.5, single(window.parameter("p")[0]));
  EXPECT_EQ(1, scale(window));
}

TrainingWindow two_optimizers(const Policy& policy) {
  TrainingWindow window = session(policy);
  window.make_parameter("q", binary32, patterns(binary32, {0}));
  window.make_optimizer("other", OptimizerRule::sgd, sgd(0.5), {"q"});
  backward(window, {64, 1});
  backward(window, {2}, "q");
  return window;
}

TEST(TrainingWindow, KeepsOptimizersApart) {
  TrainingWindow window = two_optimizers({});
  window.step("o");
  window.step("other");
  EXPECT_EQ(1, single(window.parameter("p")[1]));
  EXPECT_EQ(-1, single(window.parameter("q")[0]));
  window.update();
  EXPECT_EQ(512, scale(window));
}

TEST(TrainingWindow, SkipsAllWhereSoDeclared) {
  Policy policy;
  policy.skips_all = true;
  TrainingWindow window = two_optimizers(policy);
  window.step("other");
  window.step("o");
  EXPECT_EQ(0, single(window.parameter("q")[0]));
  window.update();
  EXPECT_EQ(512, scale(window));
}

TEST(TrainingWindow, ClipsOverAllTensors) {
  TrainingWindow window = session();
  window.make_parameter("q", binary32, patterns(binary32, {0}));
  window.make_optimizer("other", OptimizerRule::sgd, sgd(1), {"q"});
  backward(window, {16, 16});
  backward(window, {16}, "q");
  backward(window, {0, 0});
  window.clip_norm({"o", "other"}, f32(1000));
  EXPECT_TRUE(window.unscaled_gradient("q")[0].contains(f32(16).bits));
  backward(window, {0}, "q");
  TrainingWindow again = session();
  backward(again, {24, 32});  // norm 40
  again.clip_norm({"o"}, f32(20));
  EXPECT_EQ(40, single(again.norm()->computed));
  EXPECT_EQ(12, single(again.unscaled_gradient("p")[0]));
  again.step("o");
  EXPECT_EQ(-3, single(again.parameter("p")[0]));
  EXPECT_EQ(-3, single(again.parameter("p")[1]));
}

TEST(TrainingWindow, ClipsByValue) {
  TrainingWindow window = session();
  backward(window, {24, -3});
  window.clip_value({"o"}, f32(2));
  EXPECT_EQ(2, single(window.unscaled_gradient("p")[0]));
  EXPECT_EQ(-2, single(window.unscaled_gradient("p")[1]));
}

TEST(TrainingWindow, AccumulatesUnscaledUnderChangingScales) {
  Policy policy;
  policy.accumulates_unscaled = true;
  TrainingWindow window = session(policy);
  backward(window, {1, 1});
  window.saw_scale(512);
  backward(window, {2, 1});
  EXPECT_EQ(3, single(window.unscaled_gradient("p")[0]));
  backward(window, {1e5, 1});
  EXPECT_EQ(Verdict::overflow, window.verdict("o"));
}

TEST(TrainingWindow, DropsBadMicroBatchesWhereSoDeclared) {
  Policy policy;
  policy.accumulates_unscaled = policy.drops_bad_micro_batches = true;
  TrainingWindow window = session(policy);
  backward(window, {1, 1});
  backward(window, {1e5, 1});
  EXPECT_EQ(Verdict::clean, window.verdict("o"));
  EXPECT_EQ(1, single(window.unscaled_gradient("p")[0]));
}

TEST(TrainingWindow, TokenWindows) {
  TrainingWindow window = session();
  window.token_window("p", {{{number(binary16, 3), 2}}, {{number(binary16, 1), 2}}}, 4, 2,
                      binary32);
  EXPECT_EQ(1536, single(window.scaled_gradient("p")[0]));
  EXPECT_EQ(0.5, single(window.unscaled_gradient("p")[1]));
}

TEST(TrainingWindow, TokenWindowsUnderAnInfiniteSeed) {
  TrainingWindow window = session({}, 65536);
  window.token_window("p", {{{number(binary16, 3), 2}}, {{number(binary16, 1), 2}}}, 4, 1,
                      binary16);
  EXPECT_EQ(Verdict::overflow, window.verdict("o"));
}

// ---- what was seen narrows what may be

TEST(TrainingWindow, SeenValuesNarrowTheSets) {
  Policy policy;
  policy.unscale = UnscaleArithmetic::either;
  TrainingWindow window = session(policy, 1000);
  window.backward(binary32, 1, {{"p", &binary16, &binary16, patterns(binary16, {60, 60})}}, {},
                  f32(1000));
  EXPECT_FALSE(window.unscaled_gradient("p")[0].is_single());
  window.unscale("o");
  const Admissible seen = Admissible::of(f32(60));
  window.saw_unscaled_gradient("p", {seen, seen});
  EXPECT_TRUE(window.unscaled_gradient("p")[0].is_single());
  window.step("o");
  EXPECT_TRUE(window.parameter("p")[0].contains(f32(-15).bits));
  window.saw_parameter("p", {Admissible::of(f32(5)), Admissible::of(f32(6))});
  EXPECT_EQ(5, single(window.parameter("p")[0]));
}

TEST(TrainingWindow, SeenSumsStartTheNext) {
  TrainingWindow window = session();
  backward(window, {1, 1});
  window.saw_scaled_gradient("p", {Admissible::of(f32(2048)), Admissible::of(f32(0))});
  EXPECT_EQ(2, single(window.unscaled_gradient("p")[0]));
  backward(window, {1, 1});
  EXPECT_EQ(3072, single(window.scaled_gradient("p")[0]));
  EXPECT_EQ(1, single(window.unscaled_gradient("p")[1]));
}

TEST(TrainingWindow, SeenScalesAreTakenOver) {
  Policy policy;
  TrainingWindow window(policy);
  window.make_scaler(f32(3), {number(binary64, 2), number(binary64, 0x1.6687fff3b6d59p-1), 2},
                     true);
  window.make_parameter("p", binary32, patterns(binary32, {0}));
  window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"});
  window.saw_scale(value_of(0x47c164d9, binary32));
  backward(window, {1e5});
  window.step("o");
  window.update();
  EXPECT_EQ(2u, window.scales().size());  // rounded once and twice
  window.saw_scale(value_of(0x47876ce3, binary32));
  EXPECT_EQ(1u, window.scales().size());
  EXPECT_EQ(value_of(0x47876ce3, binary32), window.scales().front().scale);
}

// Where the rules leave the verdict open, what was seen decides; unseen, neither parameter nor
// state is known.
TEST(TrainingWindow, AnOpenVerdictIsDecidedByWhatWasSeen) {
  const auto make = [](double momentum) {
    Policy policy;
    policy.narrow_accumulator = true;
    TrainingWindow window(policy);
    window.make_scaler(f32(1), {f32(2), f32(0.5), 9}, true);
    window.make_parameter("p", binary16, patterns(binary16, {0}));
    window.make_optimizer("o", OptimizerRule::sgd, sgd(0.25, momentum), {"p"});
    for (const double c : {60000.0, 60000.0, -60000.0}) backward(window, {c});
    EXPECT_EQ(Verdict::unknown, window.verdict("o"));
    return window;
  };
  TrainingWindow taken = make(0);
  taken.step("o", true);
  EXPECT_TRUE(taken.parameter("p")[0].contains(number(binary16, -15000).bits));
  EXPECT_TRUE(taken.parameter_is_known("p"));
  taken.update();
  EXPECT_EQ(2u, taken.scales().size());

  TrainingWindow skipped = make(0);
  skipped.step("o", false);
  EXPECT_EQ(0, single(skipped.parameter("p")[0]));

  TrainingWindow unseen = make(0.5);
  unseen.step("o");
  EXPECT_FALSE(unseen.parameter_is_known("p"));
  unseen.update();
  unseen.zero_grad("o");
  unseen.saw_parameter("p", {Admissible::of(number(binary16, 1))});
  EXPECT_TRUE(unseen.parameter_is_known("p"));
  unseen.saw_scale(1);
  backward(unseen, {1});
  unseen.step("o");  // with a momentum that nobody knows
  EXPECT_FALSE(unseen.parameter_is_known("p"));
}

// What lies in its set is where the next step goes on from; what does not is not believed.
TEST(TrainingWindow, AdamGoesOnFromTheStateThatWasSeen) {
  TrainingWindow window = session();
  window.make_parameter("q", binary32, patterns(binary32, {0}));
  window.make_optimizer("adam", OptimizerRule::adam,
                        {{"lr", f32(0x1p-3)},
                         {"beta1", number(binary64, 0.9)},
                         {"beta2", number(binary64, 0.999)},
                         {"eps", f32(0x1p-60)}},
                        {"q"});
  const auto first_moment = [&] { return window.state("q", "exp_avg", binary32).front(); };
  EXPECT_TRUE(window.state("q", "exp_avg", binary32).empty());
  window.backward(binary32, 1, {{"q", &binary32, &binary32, patterns(binary32, {0.3})}});
  window.step("adam");
  EXPECT_TRUE(window.parameter_is_known("q"));
  const Admissible set = first_moment();
  EXPECT_FALSE(set.is_single());
  window.saw_state("q", "exp_avg", binary32, {set.highest() + 1});
  EXPECT_EQ(set.to_string(), first_moment().to_string());
  window.saw_state("q", "exp_avg", binary32, {set.highest()});
  EXPECT_EQ(set.highest(), first_moment().single());
  EXPECT_TRUE(window.state("q", "step", binary32).empty());
}

// A tensor of two optimizers has a state in each of them, under its name there.
TEST(TrainingWindow, EachOptimizerOfATensorHasItsOwnState) {
  TrainingWindow window{Policy()};
  window.make_scaler(f32(1), {f32(2), f32(0.5), 1}, true);
  window.make_parameter("a", binary32, patterns(binary32, {0}));
  window.make_alias("b", "a");
  window.make_optimizer("one", OptimizerRule::sgd, sgd(0.25, 0.5), {"a"});
  window.make_optimizer("two", OptimizerRule::sgd, sgd(0.25, 0.5), {"b"});
  window.backward(binary32, 1, {{"a", &binary32, &binary32, patterns(binary32, {1})}});
  window.step("one");
  EXPECT_EQ(f32(1).bits, window.state("a", "momentum_buffer", binary32).front().single());
  EXPECT_TRUE(window.state("b", "momentum_buffer", binary32).empty());
  window.saw_state("a", "momentum_buffer", binary32, {f32(1).bits});
  EXPECT_EQ(nullptr, window.kept_state("b", "momentum_buffer"));
  EXPECT_THROW(window.state("c", "momentum_buffer", binary32), BadSession);
}

// gradient = x0·r + x1·r with r = RN(1/S), the second product rounded or fused into the sum.
TEST(TrainingWindow, UnscalesInFusedMultiplyAdds) {
  Policy policy;
  policy.accumulates_unscaled = true;
  policy.unscale = UnscaleArithmetic::reciprocal_binary32;
  std::mt19937 random(1);
  const auto uniform = [&] { return static_cast<float>(random()) * 0x1p-32f; };
  int differ = 0;
  for (int i = 0; i < 100; ++i) {
    TrainingWindow window{policy};
    window.make_scaler(f32(3), {f32(2), f32(0.5), 1}, true);
    window.make_parameter("p", binary32, patterns(binary32, {0}));
    window.make_optimizer("o", OptimizerRule::sgd, sgd(1), {"p"});
    const float sign = i % 2 == 0 ? 1.0f : -1.0f;
    const float c[] = {sign * uniform(), sign * uniform()}, r = 1 / 3.0f;
    for (const float one : c)
      window.backward(binary32, 1, {{"p", &binary32, &binary32, patterns(binary32, {one})}});
    const float x[] = {3 * c[0], 3 * c[1]};
    const float separate = x[0] * r + x[1] * r, fused = std::fma(x[1], r, x[0] * r);
    const Admissible& set = window.unscaled_gradient("p").front();
    EXPECT_TRUE(set.contains(f32(separate).bits));
    EXPECT_TRUE(set.contains(f32(fused).bits)) << set.to_string() << fused;
    differ += separate != fused ? 1 : 0;
  }
  EXPECT_GT(differ, 5);
}

// What was seen of a sum does not undo that a micro-batch overflowed.
TEST(TrainingWindow, AnOverflowStaysOne) {
  TrainingWindow window = session();
  backward(window, {INFINITY, 1});
  EXPECT_EQ(Verdict::overflow, window.verdict("o"));
  window.saw_scaled_gradient("p", {Admissible::of(f32(1)), Admissible::of(f32(1))});
  EXPECT_EQ(Verdict::overflow, window.verdict("o"));
}

TEST(TrainingWindow, AStepSpendsItsGradients) {
  TrainingWindow window = session();
  backward(window, {1, 1});
  EXPECT_FALSE(window.is_spent("p"));
  window.step("o");
  EXPECT_TRUE(window.is_spent("p"));
  EXPECT_TRUE(window.has_gradient("p"));
  window.zero_grad("o");
  EXPECT_FALSE(window.is_spent("p"));
  EXPECT_FALSE(window.has_gradient("p"));
}

}  // namespace
}  // namespace ampcheck::reference
