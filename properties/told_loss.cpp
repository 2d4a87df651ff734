#include "properties/told_loss.hpp"

#include <algorithm>

#include "properties/counted_tokens.hpp"
#include "properties/difference.hpp"
#include "reference/reported_loss.hpp"

namespace ampcheck::properties {

using namespace subject;
using reference::Admissible;

std::optional<ToldLoss> told_loss(const Step& step, const Scalar& shown,
                                  const std::vector<reference::Rational>& scales,
                                  const reference::Policy& policy) {
  std::vector<Admissible> sets;
  if (const auto* window = std::get_if<TokenWindow>(&step.action))
    sets = {loss_of(*window, scales, policy)};
  else if (const auto* micro_batch = std::get_if<Backward>(&step.action))
    sets = reference::reported_losses({micro_batch->loss.format, micro_batch->loss.bits},
                                      micro_batch->divide, scales, policy);
  else
    return {};
  const NumberFormat& f = sets.front().format();
  const bool is_wider = reference::wider(*shown.format, f) == *shown.format;
  const Scalar rounded =
      is_wider ? Scalar{&f, reference::convert({shown.format, shown.bits}, f)} : shown;
  const auto same = same_number(rounded.bits, *rounded.format, f);
  const auto holds = std::ranges::find_if(
      sets, [&](const Admissible& set) { return same && set.contains(*same); });
  return ToldLoss{rounded, holds == sets.end() ? sets.front() : *holds};
}

bool has_no_loss(const Step& step) {
  const auto* window = std::get_if<TokenWindow>(&step.action);
  return window != nullptr && divisor_of(*window).exact.is_zero();
}

}  // namespace ampcheck::properties
