#include "properties/identify/clip_epsilon.hpp"

#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "reference/error_bounds.hpp"
#include "reference/rounding.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;

// The shortest decimal between the two, as a number of binary64. A decimal of 17 digits names every
// one of them, so that the middle is found at the latest.
double shortest_between(const Rational& low, const Rational& high) {
  const double middle = subject::to_double(round_to((low + high) / 2, binary64), binary64);
  for (int digits = 1; digits < 17; ++digits) {
    std::vector<char> text(32);
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, middle);
    const double x = std::strtod(text.data(), nullptr);
    const Rational value = value_of(subject::to_bits(x, binary64), binary64);
    if (value >= low && value <= high) return x;
  }
  return middle;
}

// The largest element of the gradient that the clip shows, and of the one before it.
std::optional<Rational> clipped_by(const Trial& trial, Rational& before, Rational& limit) {
  std::optional<Rational> clipped;
  Rational largest;
  for (std::size_t i = 0; i < trial.answers.size(); ++i) {
    const subject::Action& action = trial.experiment.played.steps[i].action;
    const auto* clip = std::get_if<subject::ClipNorm>(&action);
    const bool is_unscale = std::holds_alternative<subject::Unscale>(action);
    if (clip != nullptr) limit = value_of(clip->limit.bits, *clip->limit.format);
    const auto found = trial.answers[i].observed.find("gradient/p0");
    if ((clip == nullptr && !is_unscale) || found == trial.answers[i].observed.end() ||
        found->second.empty())
      continue;
    const auto* seen = std::get_if<subject::ObservedTensor>(&found->second.front());
    if (seen == nullptr || seen->tensor.bits.empty() || seen->unit != subject::Unit::unscaled)
      continue;
    const std::uint64_t last = seen->tensor.bits.back();
    if (!seen->tensor.format->is_finite(last)) return {};
    largest = value_of(last, *seen->tensor.format);
    if (is_unscale)
      before = largest;
    else
      clipped = largest;
  }
  return clipped;
}

}  // namespace

std::optional<subject::PolicyValue> read_clip_epsilon(const Trial& trial) {
  Rational before, limit;
  const std::optional<Rational> clipped = clipped_by(trial, before, limit);
  if (!clipped || clipped->sign() <= 0 || before.sign() <= 0) return {};
  const Rational norm = before * 7 / 6;  // of 2, 3 and 6
  const Rational padded = before * limit / *clipped;
  const Rational off = padded * growth_bound(4, binary32);
  const subject::PolicyValue zero{"", {&binary64, 0}};
  if (padded - off <= norm) return zero;
  const double epsilon = shortest_between(padded - off - norm, padded + off - norm);
  return subject::PolicyValue{"", {&binary64, subject::to_bits(epsilon, binary64)}};
}

}  // namespace ampcheck::properties::identify
