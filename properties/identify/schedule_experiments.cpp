#include "properties/clause.hpp"
#include "properties/identify/experiments.hpp"
#include "reference/rounding.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;

// Adds the micro-batches of a window.
void add_window(CaseBuilder& builder, bool overflows, Overflows how, bool is_small_scale) {
  const auto micro_batch = [&](std::uint64_t coefficient, bool last) {
    builder.backward({{"w", vector({coefficient}, binary32)}}, last).observe({"seed"});
  };
  if (!overflows) return micro_batch(power_of_two(-20, binary32), true);
  if (how == Overflows::by_infinity) return micro_batch(binary32.infinity(), true);
  // 1.5·2^127·S twice: with S up to 1 each is finite, and their sum is not once S is gone. Larger
  // scales, from above 2^10 to 2^16, take 1.5·2^111 to 1.5·2^127 at most, and 64 times that beyond
  // binary32 in any case.
  const std::uint64_t large = dyadic(3, is_small_scale ? 126 : 110, binary32);
  const int times = is_small_scale ? 2 : 64;
  for (int i = 1; i <= times; ++i) micro_batch(large, i == times);
}

struct Sequence {
  int start;  // the scale's exponent
  int interval;
  const char* windows;
};

// Between the scales 2^11 and 2^16, wherever they go under any schedule: a floor of up to 2^10 and
// a ceiling from 2^16 on do not show. Runs of clean windows end around N, N + 1 and 2·N, and
// overflows come alone, in runs longer than any hysteresis, and one after a clean window. The two
// long ones tell every two schedules apart by themselves; the others are easier to read.
constexpr Sequence kSequences[] = {
    {13, 2, "ccccccc"},      {12, 1, "cccc"},           {13, 3, "cccccccccc"}, {16, 2, "oooooc"},
    {16, 2, "oooco"},        {16, 2, "oococo"},         {15, 2, "ocococo"},    {14, 2, "cccoccooo"},
    {13, 2, "cccoccccoooc"}, {13, 3, "ccccccccooococ"},
};

}  // namespace

Case schedule_case(const ScalerPlan& plan, std::string_view windows, Overflows how) {
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 1, binary32)});
  const Rational scale = value_of(plan.init_scale.bits, *plan.init_scale.format);
  for (const char window : windows) {
    add_window(builder, window == 'o', how, scale <= Rational(1));
    builder.step("o").update().observe({"scale"}).zero_grad("o");
  }
  return builder.done();
}

std::vector<Experiment> schedule_experiments(Overflows how) {
  const std::vector<std::string_view> rules = {"growth_rule", "hysteresis", "hysteresis_refill",
                                               "scale_lag"};
  std::vector<Experiment> all;
  ScalerPlan plan;
  for (const Sequence& sequence : kSequences) {
    plan.init_scale = scalar_power_of_two(sequence.start, binary32);
    plan.growth_interval = sequence.interval;
    all.push_back(
        {std::string("windows ") + sequence.windows + ", N = " + std::to_string(sequence.interval),
         rules, schedule_case(plan, sequence.windows, how), kScale | kSeed});
  }
  return all;
}

std::vector<Experiment> rate_experiments(Overflows how) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(14, binary32);
  subject::Case one = schedule_case(plan, "coc", how);
  for (subject::Step& step : one.steps) {
    if (auto* made = std::get_if<subject::MakeOptimizer>(&step.action)) {
      made->hyper.clear();
      for (const int exponent : {0, -2, -5})
        made->schedule.push_back(scalar_power_of_two(exponent, binary32));
    }
    if (std::holds_alternative<subject::TakeStep>(step.action))
      step.observe.emplace_back("parameter/w");
  }
  return {{"three learning rates, the second window overflows",
           {"schedule_on_skip"},
           std::move(one),
           kParameter}};
}

// Factors that no binary32 has, several times, so that what is lost shows.
std::vector<Experiment> factor_experiments(Overflows how) {
  std::vector<Experiment> all;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(13, binary32);
  plan.growth_interval = 1;
  plan.growth_factor = scalar(subject::to_bits(1.1, binary64), binary64);
  plan.backoff_factor = scalar(subject::to_bits(0.9, binary64), binary64);
  for (const char* windows : {"cccccccccccc", "oooooooooooo"})
    all.push_back({std::string("factors 1.1 and 0.9, windows ") + windows,
                   {"scale_format", "factor_format"},
                   schedule_case(plan, windows, how),
                   kScale | kSeed});
  return all;
}

std::vector<Experiment> update_experiments() {
  std::vector<Experiment> all;
  for (const bool overflows : {false, true}) {
    ScalerPlan plan;
    plan.init_scale = scalar_power_of_two(13, binary32);
    plan.growth_interval = 2;
    CaseBuilder builder;
    builder.scaler(plan).sgd("o", {zeros("w", 1, binary32)});
    for (int i = 0; i < 5; ++i)
      builder
          .backward({{"w", vector({overflows && i == 1 ? binary32.infinity()
                                                       : power_of_two(-20, binary32)},
                                  binary32)}},
                    i == 4)
          .observe({"seed", "scale"});
    builder.step("o").update().observe({"scale"});
    all.push_back({overflows ? "an overflow inside of a window" : "five clean micro-batches",
                   {"update_at"},
                   builder.done(),
                   kScale | kSeed});
  }
  return all;
}

}  // namespace ampcheck::properties::identify
