#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

// Moments as linear interpolations, one bias correction in the step size and one in the root, as
// torch and Keras have them.
struct InterpolatedMoments : subject::Textbook {
  void adam(const Optimizer& o, Variable& v) override {
    const Format& wide = v.value.format->width < 32 ? reference::binary32 : *v.value.format;
    const auto round = [&](double x) { return subject::narrow(x, wide); };
    const double beta1 = o.get("beta1"), beta2 = o.get("beta2");
    Array& step = v.state["step"];
    if (step.format == nullptr) step = {&reference::binary32, {}, {0.0}};
    const double t = ++step.values[0];
    const double size = round(o.get("lr") / bias_correction(beta1, t));
    const double root2 = round(std::sqrt(bias_correction(beta2, t)));
    for (std::size_t i = 0; i < v.value.values.size(); ++i) {
      double& p = v.value.values[i];
      double &m = state(v, "exp_avg").values[i], &s = state(v, "exp_avg_sq").values[i];
      double g = round(v.gradient.values[i]);
      adam_decay(o, p, g, wide);
      m = round(m + round(round(1 - beta1) * round(g - m)));
      s = round(s + round(round(1 - beta2) * round(round(g * g) - s)));
      const double root = round(round(std::sqrt(s)) / root2);
      p = moved(p, 1, round(round(size * m) / round(root + o.get("eps"))), *v.value.format);
    }
  }
};

AMPCHECK_CONTROL(InterpolatedMoments, "interpolated-moments",
                 "Adam's moments are interpolated, its bias corrections enter step size and root",
                 (PolicyChanges{}));

}  // namespace
}  // namespace ampcheck::properties
