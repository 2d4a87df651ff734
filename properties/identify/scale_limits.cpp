#include "properties/identify/scale_limits.hpp"

#include <optional>
#include <string>
#include <utility>

#include "properties/built_in.hpp"
#include "properties/clause.hpp"
#include "properties/identify/scale_run.hpp"
#include "properties/policy.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;
using subject::PolicyValue;

const std::vector<std::string_view> kFloorAxes = {"floor", "at_floor"};
const std::vector<std::string_view> kCeilingAxes = {"ceiling", "growth_limit"};

// Overflows after which the scale has backed off so many times, under the schedule found.
std::string overflows(const subject::Policy& known, int back_offs) {
  const reference::Policy policy = reference_policy(known);
  const bool refills = policy.hysteresis_refill == HysteresisRefill::clean_step_and_back_off;
  const int most = refills ? policy.hysteresis * back_offs : policy.hysteresis - 1 + back_offs;
  return std::string(static_cast<std::size_t>(most + (policy.scale_lags ? 1 : 0)), 'o');
}

Experiment run_of(std::string name, const std::vector<std::string_view>& tells,
                  const ScalerPlan& plan, const std::string& windows, Overflows how) {
  return {std::move(name), tells, schedule_case(plan, windows, how), kScale | kSeed};
}

// Back-offs by 2^-`by` from where a case may begin, to zero and beyond.
Experiment falling(const subject::Policy& known, Overflows how, int by) {
  const int start = how == Overflows::by_infinity ? 16 : 0;
  const NumberFormat& format = *reference_policy(known).scale_format;
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(start, binary32);
  plan.backoff_factor = scalar_power_of_two(-by, binary64);
  return run_of("overflows with back-off 2^-" + std::to_string(by), kFloorAxes, plan,
                overflows(known, (start - format.min_quantum()) / by + 3), how);
}

// One back-off by half from this scale.
Experiment halving(const subject::Policy& known, Overflows how, const Scalar& from) {
  ScalerPlan plan;
  plan.init_scale = from;
  return run_of("a back-off from " + to_hex_float(from.bits, *from.format), kFloorAxes, plan,
                overflows(known, 1), how);
}

// The floor of a subject that raises where it would be reached: the largest number of binary32 that
// a back-off does not give. `not_given` and `given` are such numbers.
std::optional<Scalar> largest_not_given(Bench& bench, const subject::Policy& known, Overflows how,
                                        std::uint64_t not_given, std::uint64_t given,
                                        std::vector<Trial>& trials) {
  while (given - not_given > 1) {
    const std::uint64_t middle = not_given + (given - not_given) / 2;
    const Rational twice = value_of(middle, binary32) * 2;
    std::vector<Trial> played =
        bench.play({halving(known, how, {&binary32, round_to(twice, binary32)})});
    if (played.front().answers.empty()) {
      trials.push_back(std::move(played.front()));
      return {};
    }
    (scale_run(played.front()).raised ? not_given : given) = middle;
    trials.push_back(std::move(played.front()));
  }
  return Scalar{&binary32, not_given};
}

// The number of a floor at which `update` raises, which last showed this scale. It raises when it
// is there, or when the next back-off, by 2^-16, would go there or below.
std::optional<Scalar> raising_floor(Bench& bench, const subject::Policy& known, Overflows how,
                                    const Scalar& last, std::vector<Trial>& trials) {
  const std::uint64_t bits = convert({last.format, last.bits}, binary32);
  if (!binary32.is_finite(bits) || value_of(last.bits, *last.format) != value_of(bits, binary32))
    return last;
  // From just above, half of it lies below a floor that is held.
  std::vector<Trial> above = bench.play({halving(known, how, {&binary32, bits + 1})});
  const ScaleRun run = scale_run(above.front());
  const bool is_answered = !above.front().answers.empty();
  trials.push_back(std::move(above.front()));
  if (!is_answered) return {};
  const bool is_held = !run.raised && run.last() &&
                       value_of(run.last()->bits, *run.last()->format) == value_of(bits, binary32);
  if (is_held) return last;
  const Rational low = value_of(bits, binary32) * Rational::power_of_two(-16);
  return largest_not_given(bench, known, how, round_to(low, binary32), bits, trials);
}

}  // namespace

std::vector<Finding> find_floor(Bench& bench, const subject::Policy& known, Overflows how) {
  // Steps of another size would pass by whatever the first ones happened to end at.
  std::vector<Trial> trials = bench.play({falling(known, how, 16), falling(known, how, 11)});
  Group group{{{"floor", {word("none")}}, whole_axis("at_floor")}, {}};
  const ScaleRun run = scale_run(trials.front());
  if (std::optional<Scalar> last = run.last()) {
    if (run.raised) last = raising_floor(bench, known, how, *last, trials);
    if (last) group.axes.front().words.push_back({"", *last});
  }
  for (Trial& trial : trials) trial = while_usable(std::move(trial));
  return eliminate(group, trials, known);
}

std::vector<Finding> find_ceiling(Bench& bench, const subject::Policy& known, Overflows how) {
  const reference::Policy policy = reference_policy(known);
  std::vector<Experiment> runs;
  for (const int by : {16, 15}) {
    ScalerPlan plan;
    plan.init_scale = scalar_power_of_two(by, binary32);
    plan.growth_factor = scalar_power_of_two(by, binary64);
    plan.growth_interval = 1;
    // Up to 2^127 of binary32, and three times beyond; of binary64 the seeds of a loss in binary32
    // end there, too.
    const int growths = 127 / by + 3;
    const int windows = growths * (policy.growth_rule == GrowthRule::n_plus_one ? 2 : 1) + 2;
    runs.push_back(run_of("growth by 2^" + std::to_string(by), kCeilingAxes, plan,
                          std::string(static_cast<std::size_t>(windows), 'c'), how));
  }
  std::vector<Trial> trials = bench.play(std::move(runs));
  Group group{{{"ceiling", {word("none")}}, whole_axis("growth_limit")}, {}};
  const ScaleRun run = scale_run(trials.front());
  // A ceiling at the largest number is clamped growth by another name.
  if (const std::optional<Scalar> last = run.last();
      last && value_of(last->bits, *last->format) != value_of(binary32.max_finite(), binary32))
    group.axes.front().words.push_back({"", *last});
  for (Trial& trial : trials) trial = while_usable(std::move(trial));
  std::vector<Finding> findings = eliminate(group, trials, known);
  if (run.became_infinite) {
    findings.back().state = Finding::State::inconsistent;
    findings.back().is_harmless = false;
    findings.back().how = "the scale grows to infinity, for which there is no word";
  }
  return findings;
}

}  // namespace ampcheck::properties::identify
