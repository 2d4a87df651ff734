#include "properties/identify/scale_run.hpp"

#include <string>
#include <variant>

namespace ampcheck::properties::identify {
namespace {

using subject::Scalar;

std::optional<Scalar> shown(const subject::Answer& answer, const std::string& name) {
  const auto found = answer.observed.find(name);
  if (found == answer.observed.end() || found->second.empty()) return {};
  const auto* scalar = std::get_if<Scalar>(&found->second.front());
  return scalar == nullptr ? std::nullopt : std::optional(*scalar);
}

bool is_usable(const Scalar& scale) {
  const subject::NumberFormat& f = *scale.format;
  return f.is_finite(scale.bits) && !f.is_zero(scale.bits) && !f.is_negative(scale.bits);
}

}  // namespace

std::optional<Scalar> ScaleRun::last() const {
  return scales.empty() ? std::nullopt : std::optional(scales.back());
}

ScaleRun scale_run(const Trial& trial) {
  ScaleRun of_scales, of_seeds;
  const auto look = [](ScaleRun& run, const std::optional<Scalar>& scale) {
    if (!scale || run.became_zero || run.became_infinite) return;
    if (is_usable(*scale)) return run.scales.push_back(*scale);
    run.became_zero = scale->format->is_zero(scale->bits);
    run.became_infinite = !run.became_zero;
  };
  for (const subject::Answer& answer : trial.answers) {
    if (answer.kind == subject::Answer::Kind::raised) {
      of_scales.raised = of_seeds.raised = true;
      break;
    }
    look(of_scales, shown(answer, "scale"));
    look(of_seeds, shown(answer, "seed"));
  }
  return of_scales.scales.empty() ? of_seeds : of_scales;
}

Trial while_usable(Trial trial) {
  for (std::size_t i = 0; i < trial.answers.size(); ++i)
    for (const char* name : {"scale", "seed"})
      if (const std::optional<Scalar> scale = shown(trial.answers[i], name);
          scale && !is_usable(*scale)) {
        trial.answers.resize(i);
        trial.experiment.played.steps.resize(i);
        return trial;
      }
  return trial;
}

}  // namespace ampcheck::properties::identify
