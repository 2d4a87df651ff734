#include "properties/identify/families.hpp"

#include <algorithm>
#include <tuple>

namespace ampcheck::properties::identify {
namespace {

// The schedules are the rows of PROTOCOL.md, section 5; what else a row has is what the adapter of
// the library declares, or the control of its name does.
const Family kFamilies[] = {
    {"torch GradScaler",
     {{"unscale", word("either")},
      {"norm_algorithm", word("of_tensor_norms")},
      {"norm_format", word("gradient")},
      {"clip_formula", word("reciprocal_product")},
      {"clip_epsilon", number(1e-6)},
      {"unneeded_clip", word("multiplies")},
      {"step_arithmetic", word("either")},
      {"accumulator", word("parameter")}}},
    {"Flax DynamicScale",
     {{"growth_rule", word("n_plus_one")},
      {"growth_limit", word("clamp")},
      {"floor", number(0x1p-126)}}},
    {"Apex amp", {{"ceiling", number(0x1p24)}}},
    {"Apex update_scale_hysteresis",
     {{"hysteresis", word("2")}, {"hysteresis_refill", word("clean_step")}}},
    {"Megatron, ColossalAI", {{"hysteresis", word("2")}, {"floor", number(1)}}},
    {"Paddle, decr_every_n_nan_or_inf 2",
     {{"hysteresis", word("2")}, {"hysteresis_refill", word("clean_step_and_back_off")}}},
    {"DeepSpeed, fused optimizer",
     {{"growth_rule", word("n_plus_one_once")}, {"floor", number(1)}}},
    {"DeepSpeed DynamicLossScaler",
     {{"growth_rule", word("n_plus_one_once")},
      {"hysteresis", word("2")},
      {"floor", number(1)},
      {"at_floor", word("raise")}}},
    {"DeepSpeed, consecutive_hysteresis",
     {{"growth_rule", word("n_plus_one_once")},
      {"hysteresis", word("2")},
      {"hysteresis_refill", word("clean_step")},
      {"floor", number(1)},
      {"at_floor", word("raise")}}},
    {"fairseq, tolerance 0", {{"floor", number(1e-4f)}, {"at_floor", word("raise_on_reaching")}}},
    {"MXNet", {{"scale_lag", word("1")}, {"ceiling", number(0x1p24)}}},
    {"Keras", {{"adam_epsilon", word("hat")}}},
    {"ampcheck's textbook", {{"floor", number(0x1p-126)}, {"clip_formula", word("quotient")}}},
};

// A row that does not name one of these has its strict value.
constexpr std::string_view kSchedule[] = {"growth_rule",       "growth_limit", "hysteresis",
                                          "hysteresis_refill", "scale_lag",    "floor",
                                          "at_floor",          "ceiling"};

bool is_schedule(std::string_view axis) {
  return std::find(std::begin(kSchedule), std::end(kSchedule), axis) != std::end(kSchedule);
}

PolicyChanges all_axes(const Family& family) {
  PolicyChanges axes = family.axes;
  for (const std::string_view name : kSchedule) {
    const bool is_named =
        std::any_of(axes.begin(), axes.end(), [&](const auto& axis) { return axis.first == name; });
    const std::string_view strict = subject::find_policy_axis(name)->strict;
    // Where growth would overflow most scalers refuse, or let it be inf; and the others wait N.
    const std::string_view usual = name == "growth_rule"    ? "n"
                                   : name == "growth_limit" ? "refuse"
                                                            : strict;
    if (!is_named) axes.emplace_back(std::string(name), word(std::string(usual).c_str()));
  }
  return axes;
}

Likeness compare(const Family& family, const Identified& identified) {
  Likeness result{&family, {}};
  for (const auto& [axis, expected] : all_axes(family)) {
    const Finding& found = identified.at(axis);
    if (found.state != Finding::State::known) continue;
    const subject::PolicyValue& seen = found.words.front();
    // A family that may do either does what was seen.
    if (is_same(seen, expected) || is_narrower(axis, seen, expected)) continue;
    result.departures.push_back({axis, seen, expected});
  }
  return result;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all(std::begin(kFamilies), std::end(kFamilies));
  return all;
}

std::vector<Likeness> nearest_families(const Identified& identified) {
  const bool is_known = std::any_of(
      std::begin(kSchedule), std::end(kSchedule),
      [&](std::string_view axis) { return identified.at(axis).state == Finding::State::known; });
  if (!is_known) return {};
  std::vector<Likeness> nearest;
  const auto distance = [](const Likeness& one) {
    const auto of_schedule = std::count_if(one.departures.begin(), one.departures.end(),
                                           [](const Departure& d) { return is_schedule(d.axis); });
    return std::tuple(of_schedule, one.departures.size());
  };
  for (const Family& family : families()) {
    Likeness one = compare(family, identified);
    if (!nearest.empty() && distance(one) > distance(nearest.front())) continue;
    if (!nearest.empty() && distance(one) < distance(nearest.front())) nearest.clear();
    nearest.push_back(std::move(one));
  }
  return nearest;
}

}  // namespace ampcheck::properties::identify
