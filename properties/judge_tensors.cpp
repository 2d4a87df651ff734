// What a step shows as a tensor: gradients, parameters and state.
#include <algorithm>

#include "properties/clause.hpp"
#include "properties/difference.hpp"
#include "properties/judge_walk.hpp"
#include "properties/rounded_up.hpp"
#include "reference/weight_copy.hpp"

namespace ampcheck::properties::judging {

void Walk::look_alike(const std::string& name, const NumberFormat& format,
                      const std::vector<std::uint64_t>& bits, std::size_t rank) {
  if (!decides(kAlike)) return;
  const std::optional<AlikeClips::First> first = alike_.seen(name, rank, format, bits);
  for (std::size_t i = 0; first && i < std::min(bits.size(), first->bits.size()); ++i) {
    counted(true);
    if (bits[i] == first->bits[i] || (format.is_zero(bits[i]) && first->bits[i] == 0)) continue;
    fail("not alike", name, show(first->bits[i], format), show(bits[i], format),
         "step " + std::to_string(first->step) + " clips the same gradients to the same limit", i,
         rank);
  }
}

std::vector<Admissible> Walk::compare_all(const std::string& name, const Tensor& tensor,
                                          const std::vector<Admissible>& expected, bool deciding,
                                          std::size_t rank) {
  if (tensor.bits.size() != expected.size()) {
    if (deciding)
      fail("wrong shape", name, std::to_string(expected.size()) + " elements",
           std::to_string(tensor.bits.size()) + " elements", "", 0, rank);
    return expected;
  }
  // An inf or NaN says more than whatever else is wrong beside it.
  for (std::size_t i = 0; deciding && i < expected.size(); ++i)
    if (!tensor.format->is_finite(tensor.bits[i]) && !expected[i].may_be_non_finite())
      compare(name, tensor.bits[i], *tensor.format, expected[i], deciding, i, rank);
  std::vector<Admissible> seen;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const NumberFormat& f = expected[i].format();
    seen.push_back(Admissible::of(
        f, compare(name, tensor.bits[i], *tensor.format, expected[i], deciding, i, rank)));
  }
  return seen;
}

void Walk::look_gradient(const std::string& name, const std::string& parameter, const Value& value,
                         std::size_t rank) {
  const auto* seen = std::get_if<ObservedTensor>(&value);
  const bool deciding = decides(kGradient | kAlike);
  if (model_.is_spent(parameter)) return;
  if (seen == nullptr) {
    if (deciding) not_judged(name, "is null");
    return;
  }
  if (!model_.has_gradient(parameter)) return;
  // A disabled scaler leaves one kind of gradient only, whatever its unit is called.
  const bool one_kind = !model_.enabled() && seen->unit == Unit::scaled;
  switch (one_kind ? Unit::unscaled : seen->unit) {
    case Unit::scaled:
      if (model_.is_unscaled(parameter)) {
        // What is left to a later step has to be seen there, or it is seen nowhere.
        if (!deciding) return;
        if (step_ >= deferred_until_)
          fail("still scaled", name, "an unscaled gradient", "a scaled one", "", 0, rank);
        if (!decides(kParameter) || !shows_parameter(deferred_until_))
          not_judged(name, "is left to a step that does not show its parameter");
        return;
      }
      model_.saw_scaled_gradient(parameter,
                                 compare_all(name, seen->tensor, model_.scaled_gradient(parameter),
                                             decides(kGradient), rank));
      return;
    case Unit::unscaled: {
      std::vector<Admissible> values = compare_all(
          name, seen->tensor, model_.unscaled_gradient(parameter), decides(kGradient), rank);
      look_alike(name, *seen->tensor.format, seen->tensor.bits, rank);
      if (model_.is_unscaled(parameter)) model_.saw_unscaled_gradient(parameter, values);
      return;
    }
    case Unit::cleared:
      if (deciding) fail("no gradient", name, "a gradient", "none", "", 0, rank);
      return;
    case Unit::none:
    case Unit::unknown:
      if (deciding) not_judged(name, "has an unknown unit");
      return;
  }
}

void Walk::look_parameter(const std::string& name, const std::string& parameter, const Value& value,
                          std::size_t rank) {
  const auto* seen = std::get_if<ObservedTensor>(&value);
  bool deciding = decides(kParameter | kOdds);
  if (seen == nullptr) {
    if (deciding) not_judged(name, "is null");
    return;
  }
  if (deciding && !model_.parameter_is_known(parameter)) {
    // What a policy drops leaves sums that no case was made for.
    if (!dropped_) not_judged(name, "is not determined by the rules here");
    deciding = false;
  }
  const std::vector<Admissible> values =
      compare_all(name, seen->tensor, model_.parameter(parameter), deciding, rank);
  if (decides(kOdds)) look_odds(name, parameter, values, rank);
  model_.saw_parameter(parameter, values);
}

void Walk::look_master(const std::string& name, const std::string& parameter, const Value& value,
                       std::size_t rank) {
  const auto* seen = std::get_if<ObservedTensor>(&value);
  if (seen == nullptr) return;  // its copy is judged by what it must be
  const bool deciding = decides(kMaster) && model_.master_is_known(parameter);
  model_.saw_master(parameter,
                    compare_all(name, seen->tensor, model_.master(parameter), deciding, rank));
}

void Walk::look_odds(const std::string& name, const std::string& parameter,
                     const std::vector<Admissible>& copies, std::size_t rank) {
  if (model_.policy().copy_rounding != reference::CopyRounding::stochastic) return;
  if (!model_.has_master(parameter) || !model_.master_is_known(parameter)) return;
  for (const RoundedUp& one : count_rounded_up(model_.master(parameter), copies)) {
    counted(true);
    if (reference::is_plausible(one.ups, one.roundings, one.chance)) continue;
    const std::string of = " of " + std::to_string(one.roundings) + " copies of ";
    fail("wrong odds", name,
         "about " + (one.chance * one.roundings).to_string() + of +
             show(one.master, reference::binary32) + " rounded up",
         std::to_string(one.ups), "such a count comes by chance less than once in 10^9", one.first,
         rank);
  }
}

void Walk::compare_state(const std::string& name, const std::string& parameter,
                         const std::string& slot, const Tensor& seen, std::size_t rank) {
  const std::vector<Admissible> known = model_.state(parameter, slot, *seen.format);
  if (!known.empty()) compare_all(name, seen, known, true, rank);
}

void Walk::look_state(const std::string& name, const std::string& rest, const Value& value,
                      std::size_t rank) {
  const std::size_t slash = rest.find('/');
  const std::string parameter = rest.substr(0, slash);
  const std::string slot = slash == std::string::npos ? "" : rest.substr(slash + 1);
  const auto* seen = std::get_if<ObservedTensor>(&value);
  const std::vector<std::uint64_t>* kept = model_.kept_state(parameter, slot);
  if (seen == nullptr) {
    if (decides(kState)) not_judged(name, "is null");
    return;
  }
  if (decides(kState)) compare_state(name, parameter, slot, seen->tensor, rank);
  if (kept != nullptr && decides(kState)) {
    const NumberFormat& f = *seen->tensor.format;
    if (kept->size() != seen->tensor.bits.size())
      fail("state changed", name, std::to_string(kept->size()) + " elements",
           std::to_string(seen->tensor.bits.size()), "", 0, rank);
    for (std::size_t i = 0; i < kept->size(); ++i) {
      const std::uint64_t before = (*kept)[i], now = seen->tensor.bits[i];
      counted(true);
      const bool same = before == now || (f.is_zero(before) && f.is_zero(now)) ||
                        (model_.policy().may_flush && f.is_subnormal(before) && f.is_zero(now));
      if (!same) fail("state changed", name, show(before, f), show(now, f), "", i, rank);
    }
  }
  model_.saw_state(parameter, slot, *seen->tensor.format, seen->tensor.bits);
}

}  // namespace ampcheck::properties::judging
