#include "golden/definitions/definitions.hpp"
#include "properties/generators/adam.hpp"

namespace ampcheck::golden {
namespace {

NamedPolicy grows(const char* rule) { return {rule, {{"growth_rule", word(rule)}}}; }

// Schedules of released scalers, as far as they differ between floor and ceiling.
std::vector<NamedPolicy> schedules() {
  const auto once = std::pair("growth_rule", word("n_plus_one_once"));
  const auto hysteresis = std::pair("hysteresis", word("2"));
  const auto at_clean_step = std::pair("hysteresis_refill", word("clean_step"));
  return {grows("n_plus_one"),
          grows("n_plus_one_once"),
          {"mxnet", {{"scale_lag", word("1")}}},
          {"deepspeed", {once, hysteresis}},
          {"deepspeed_consecutive", {once, hysteresis, at_clean_step}},
          {"megatron", {hysteresis}},
          {"apex_kernel", {hysteresis, at_clean_step}}};
}

// Windows of one optimizer, 'o' clean with a gradient of 1 and 'x' with an infinity, the scale
// looked at after each.
subject::Case windows(const ScalerPlan& plan, const std::string& pattern) {
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 1, binary32)});
  for (const char one : pattern) {
    const subject::Tensor c = one == 'x' ? patterns({infinity()}) : integers({1});
    builder.backward({{"w", c}}).step("o").update().observe({"scale"}).zero_grad("o");
  }
  return builder.done();
}

// One window in which nothing but the verdict matters. The learning rate is so small that no step
// overflows.
subject::Case one_window(const std::vector<subject::Tensor>& tensors) {
  CaseBuilder builder;
  std::vector<subject::Parameter> parameters;
  std::vector<subject::Coefficients> coefficients;
  std::vector<std::string> seen = {"stepped"};
  for (const subject::Tensor& tensor : tensors) {
    const std::string name = "w" + std::to_string(parameters.size());
    parameters.push_back(zeros(name, tensor.bits.size(), *tensor.format));
    coefficients.push_back({name, tensor});
    seen.push_back("parameter/" + name);
  }
  builder.scaler(scale_of_two(0)).sgd("o", std::move(parameters), -30);
  builder.backward(std::move(coefficients)).step("o").observe(seen);
  return builder.done();
}

std::vector<Vector> traces() {
  ScalerPlan tenth_more = scale_of(scalar(dyadic(3, 0, binary32), binary32), 1);
  const Real eleven_tenths = real(11, 10, binary64);
  tenth_more.growth_factor = eleven_tenths.scalar();
  const std::vector<NamedPolicy> growth = {grows("n_plus_one"), grows("n_plus_one_once")};
  std::vector<NamedPolicy> growth_and_lag = growth;
  growth_and_lag.push_back({"mxnet", {{"scale_lag", word("1")}}});
  const std::vector<NamedPolicy> paddle = {
      {"apex_kernel", {{"hysteresis", word("2")}, {"hysteresis_refill", word("clean_step")}}},
      {"paddle",
       {{"hysteresis", word("2")}, {"hysteresis_refill", word("clean_step_and_back_off")}}}};
  return {
      {.id = "skipping/trace-of-17",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence = "Seventeen windows from 1024, overflows in the 2nd, 10th, 12th and 13th, "
                   "interval 3: the "
                   "trace tells apart the schedules of eight families of scalers",
       .played = windows(scale_of_two(10, 3), "oxoooooooxoxxoooo"),
       .policies = schedules(),
       .mutants = {"greater-for-equal"}},
      {.id = "skipping/growth-after-5",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence =
           "Clean windows until the scale grows, interval 5: 5, 10, 15, or 6, 12, 18, or 6, 11, 16",
       .played = windows(scale_of_two(10, 5), "oooooooooooooooooo"),
       .policies = growth_and_lag},
      {.id = "skipping/five-overflows",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence = "From 1024, five overflows in a row: each halves the scale, or each but the "
                   "first, or every second one",
       .played = windows(scale_of_two(10), "xxxxx"),
       .policies = paddle},
      {.id = "skipping/three-clean",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence = "From 8, interval 3, three clean windows: 16",
       .played = windows(scale_of_two(3, 3), "ooo"),
       .policies = growth,
       .mutants = {"greater-for-equal"}},
      {.id = "skipping/four-clean",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence = "From 8, interval 3, four clean windows: 16, since counting begins anew",
       .played = windows(scale_of_two(3, 3), "oooo"),
       .mutants = {"growth-counter-kept"}},
      {.id = "skipping/consecutive-clean",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence =
           "From 8, interval 3, an overflow after two clean windows: 4, and counting begins anew",
       .played = windows(scale_of_two(3, 3), "ooxo")},
      {.id = "skipping/ladder-to-one-half",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence =
           "From 65536 sixteen overflows lead to 1 and the next to 1/2, unless there is a floor",
       .played = windows(scale_of_two(16), "xxxxxxxxxxxxxxxxx"),
       .policies = {torch(), {"floor_one", {{"floor", properties::number(1)}}}}},
      {.id = "skipping/growth-by-1.1",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence =
           "3 times 1.1: the factor in binary64 gives 3.2999999523, rounded to binary32 first it "
           "gives 3.3000001907",
       .played = windows(tenth_more, "o"),
       .policies = {{"factor_in_binary32", {{"factor_format", word("binary32")}}}},
       .reals = {eleven_tenths}},
  };
}

std::vector<Vector> ends_of_the_range() {
  ScalerPlan down = scale_of_two(-126), up = scale_of_two(0, 1);
  down.backoff_factor = scalar_power_of_two(-8, binary64);
  const reference::Rational power_of_ten(100000000);
  reference::Rational most = 1;
  for (int i = 0; i < 4; ++i) most *= power_of_ten;
  const Real top{most * 1000000, &binary32};
  up.init_scale = top.scalar();
  up.growth_factor = scalar_power_of_two(4, binary64);
  Vector grown{
      .id = "skipping/growth-beyond-the-top",
      .clause = "skipping/scale-stays-usable",
      .source = "F",
      .sentence = "1e38 times 16 is beyond binary32: the scale stays, or is the largest number",
      .played = {},
      .policies = {{"clamp", {{"growth_limit", word("clamp")}}}},
      .reals = {top},
      .mutants = {"growth-to-inf"}};
  CaseBuilder builder;
  builder.scaler(up).sgd("o", {zeros("w", 1, binary32)});
  builder.backward({{"w", integers({0})}}).step("o").update().observe({"scale"});
  grown.played = builder.done();
  return {
      {.id = "skipping/back-off-at-the-bottom",
       .clause = "skipping/scale-stays-usable",
       .source = "F",
       .sentence =
           "Back-off by 1/256 from the smallest normal number of binary32 three times would be 0; "
           "a floor stops it in time",
       .played = windows(down, "xxx"),
       .mutants = {"backs-off-to-zero"}},
      std::move(grown)};
}

std::vector<Vector> verdicts() {
  CaseBuilder quarter;
  const Real large{[] {
                     reference::Rational x = 3;
                     for (int i = 0; i < 38; ++i) x *= 10;
                     return x;
                   }(),
                   &binary32};
  // Each c is finite and so is a quarter of four of them; four of them are not.
  quarter.scaler(scale_of_two(-2)).sgd("o", {zeros("w", 1, binary32)});
  for (int m = 1; m <= 4; ++m) quarter.backward({{"w", one_of(large)}}, m == 4);
  quarter.step("o").observe({"stepped", "parameter/w"});
  const std::uint64_t minus = binary32.sign_bit();
  return {
      {.id = "skipping/inf-in-the-second-tensor",
       .clause = "skipping/any-non-finite-skips",
       .source = "F",
       .sentence = "[1] and [inf]: the step is skipped",
       .played = one_window({integers({1}), patterns({infinity()})}),
       .mutants = {"checks-first-tensor"}},
      {.id = "skipping/one-nan",
       .clause = "skipping/any-non-finite-skips",
       .source = "F",
       .sentence = "[NaN]: the step is skipped",
       .played = one_window({patterns({nan()})}),
       .mutants = {"nan-not-seen"}},
      {.id = "skipping/opposite-infinities",
       .clause = "skipping/any-non-finite-skips",
       .source = "F",
       .sentence = "(inf, -inf): the step is skipped, though their sum is no infinity",
       .played = one_window({patterns({infinity(), infinity() | minus})})},
      {.id = "skipping/3e38-twice",
       .clause = "skipping/finite-never-skips",
       .source = "F",
       .sentence =
           "3e38 twice: the step is taken, though their sum overflows; a norm, where it is the "
           "declared test, may say otherwise",
       .played = one_window({patterns({large.scalar().bits, large.scalar().bits})}),
       .policies = {{"tests_norm", {{"finite_test", word("norm")}}}},
       .reals = {large},
       .mutants = {"sum-test"}},
      {.id = "skipping/finite-and-odd",
       .clause = "skipping/finite-never-skips",
       .source = "F",
       .sentence = "100000 in binary32, -0 and 2^-130: the step is taken",
       .played = one_window(
           {patterns({dyadic(100000, 0, binary32), minus, power_of_two(-130, binary32)})})},
      {.id = "skipping/overflow-of-the-unscale",
       .clause = "skipping/nothing-non-finite-gets-in",
       .source = "F",
       .sentence =
           "S = 0.25 and a scaled gradient of 3e38: unscaled it is infinite, and is not applied",
       .played = quarter.done(),
       .reals = {large},
       .mutants = {"input-only-check"}},
  };
}

std::vector<Vector> several_optimizers() {
  const auto both = [](const subject::Tensor& a, const subject::Tensor& b) {
    CaseBuilder builder;
    builder.scaler(scale_of_two(3))
        .sgd("a", {zeros("v", 1, binary32)})
        .sgd("b", {zeros("w", 1, binary32)});
    builder.backward({{"v", a}, {"w", b}})
        .step("a")
        .observe({"stepped"})
        .step("b")
        .observe({"stepped"});
    builder.observe({"parameter/v", "parameter/w"}).update().observe({"scale"});
    return builder.done();
  };
  return {
      {.id = "skipping/both-overflow",
       .clause = "skipping/update-rule",
       .source = "F",
       .sentence = "Two optimizers that overflow in one window back off once: from 8 to 4",
       .played = both(patterns({infinity()}), patterns({infinity()})),
       .mutants = {"double-back-off"}},
      {.id = "skipping/one-of-two-overflows",
       .clause = "skipping/optimizers-independent",
       .source = "AMP",
       .sentence =
           "An infinity of one optimizer leaves the other's step alone, unless it is declared that "
           "all are skipped together",
       .played = both(patterns({infinity()}), integers({1})),
       .policies = {{"all_together", {{"skip_scope", word("all")}}}},
       .mutants = {"global-skip"}},
  };
}

std::vector<Vector> state() {
  const auto window = [](CaseBuilder& builder, bool bad, const std::vector<std::string>& seen) {
    builder.backward({{"w", bad ? patterns({infinity()}) : integers({1})}});
    builder.step("o").observe({"stepped"}).observe(seen).update().zero_grad("o");
  };
  CaseBuilder momentum, adam, saved;
  subject::MakeOptimizer made;
  made.name = "o";
  made.parameters = {zeros("w", 1, binary32)};
  made.hyper = {{"lr", scalar_power_of_two(-2, binary64)},
                {"momentum", scalar_power_of_two(-1, binary64)}};
  momentum.scaler(scale_of_two(3)).optimizer(made);
  adam.scaler(scale_of_two(3)).optimizer(properties::exact_adam("o", {zeros("w", 1, binary32)}));
  for (const bool bad : {false, true, false}) {
    window(momentum, bad, {"parameter/w", "state/w/momentum_buffer"});
    window(adam, bad, {"parameter/w", "state/w/exp_avg", "state/w/exp_avg_sq", "state/w/step"});
  }
  saved.scaler(scale_of_two(3, 4)).sgd("o", {zeros("w", 1, binary32)});
  for (int i = 0; i < 5; ++i) {
    if (i == 3) saved.save_load().observe({"scale", "parameter/w"});
    saved.backward({{"w", integers({1})}}).step("o").observe({"parameter/w"});
    saved.update().observe({"scale"}).zero_grad("o");
  }
  return {
      {.id = "skipping/momentum-over-a-skip",
       .clause = "skipping/skip-leaves-no-trace",
       .source = "SC",
       .sentence = "A skipped step between two clean ones leaves the momentum as it was",
       .played = momentum.done(),
       .mutants = {"momentum-absorbs"}},
      {.id = "skipping/adam-over-a-skip",
       .clause = "skipping/skip-leaves-no-trace",
       .source = "SC",
       .sentence =
           "A skipped step between two clean ones leaves Adam's moments and its step count as they "
           "were: the second clean step moves by 1/8 again",
       .played = adam.done(),
       .mutants = {"step-counter-advances"}},
      {.id = "skipping/saved-after-three-of-four",
       .clause = "skipping/save-load-invisible",
       .source = "F",
       .sentence =
           "Interval 4, saved after three clean windows: the scale grows after the next one",
       .played = saved.done(),
       .mutants = {"resume-forgets-counter"}},
  };
}

}  // namespace

std::vector<Vector> skipping_vectors() {
  std::vector<Vector> all;
  for (const auto& more :
       {traces(), ends_of_the_range(), verdicts(), several_optimizers(), state()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace ampcheck::golden
