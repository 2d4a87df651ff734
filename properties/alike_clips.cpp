#include "properties/alike_clips.hpp"

#include <algorithm>
#include <cstdlib>

namespace ampcheck::properties {

using reference::Admissible;
using reference::Number;
using reference::NumberFormat;

namespace {

// Squares within 2^±100, and sums of a million of them: neither subnormal nor beyond binary32.
bool is_harmless(const Admissible& element) {
  if (!element.is_single() || !element.format().is_finite(element.single())) return false;
  const reference::Rational value = reference::value_of(element.single(), element.format());
  return value.is_zero() || std::abs(value.floor_log2()) < 50;
}

std::optional<std::vector<Number>> known(const std::vector<Admissible>& gradient) {
  std::vector<Number> numbers;
  for (const Admissible& element : gradient) {
    if (!is_harmless(element)) return std::nullopt;
    numbers.push_back({&element.format(), element.single()});
  }
  return numbers;
}

}  // namespace

void AlikeClips::begin(const subject::ClipNorm& action, std::size_t step,
                       const reference::TrainingWindow& model) {
  now_ = kNone;
  step_ = step;
  Clip clip{action, {}, {}};
  for (const std::string& parameter : model.with_gradient(action.optimizers)) {
    std::optional<std::vector<Number>> gradient = known(model.unscaled_gradient(parameter));
    if (!gradient || !known(model.scaled_gradient(parameter))) return;
    clip.gradients.emplace_back(parameter, std::move(*gradient));
  }
  now_ = 0;
  while (now_ < clips_.size() &&
         !(clips_[now_].action == action && clips_[now_].gradients == clip.gradients))
    ++now_;
  if (now_ == clips_.size()) clips_.push_back(std::move(clip));
}

std::optional<AlikeClips::First> AlikeClips::seen(const std::string& observation, std::size_t rank,
                                                  const NumberFormat& format,
                                                  std::vector<std::uint64_t> bits) {
  if (now_ == kNone) return std::nullopt;
  for (std::uint64_t& pattern : bits)
    if (format.is_zero(pattern)) pattern = 0;
  const auto [place, is_new] =
      clips_[now_].seen.try_emplace({observation, rank}, &format, First{step_, bits});
  const auto& [first_format, first] = place->second;
  if (is_new || !(*first_format == format)) return std::nullopt;
  return first;
}

}  // namespace ampcheck::properties
