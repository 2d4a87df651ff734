// The textbook's optimizers.
#include <cmath>

#include "subject/floating_point.hpp"
#include "subject/textbook.hpp"

namespace ampcheck::subject {
namespace {

using reference::binary32;
using reference::NumberFormat;

const NumberFormat& at_least_binary32(const NumberFormat& f) {
  return f.width == 64 ? f : binary32;
}

}  // namespace

double Textbook::moved(double p, double rate, double d, const Format& format) {
  const Format& wide = at_least_binary32(format);
  return narrow(narrow(p - narrow(rate * d, wide), wide), format);
}

Textbook::Array& Textbook::state(Variable& v, const char* slot) {
  Array& array = v.state[slot];
  if (array.format == nullptr)
    array = {&at_least_binary32(*v.value.format), v.value.shape,
             std::vector<double>(v.value.values.size(), 0.0)};
  return array;
}

void Textbook::sgd(const Optimizer& o, Variable& v) {
  Array& moving = v.has_master() ? v.master : v.value;
  const Format& wide = at_least_binary32(*moving.format);
  const double momentum = o.get("momentum"), decay = o.get("weight_decay");
  const bool first = !v.state.contains("momentum_buffer");
  for (std::size_t i = 0; i < moving.values.size(); ++i) {
    double& p = moving.values[i];
    double d = narrow(v.gradient.values[i], wide);
    if (decay != 0) d = narrow(d + narrow(decay * p, wide), wide);
    if (momentum != 0) {
      double& buffer = state(v, "momentum_buffer").values[i];
      buffer =
          first
              ? d
              : narrow(narrow(momentum * buffer, wide) + narrow((1 - o.get("dampening")) * d, wide),
                       wide);
      d = buffer;
    }
    p = moved(p, o.get("lr"), d, *moving.format);
  }
  if (v.has_master()) copy_master(v);
}

double Textbook::copied(double master, const Format& format) { return narrow(master, format); }

void Textbook::copy_master(Variable& v) {
  for (std::size_t i = 0; i < v.value.values.size(); ++i)
    v.value.values[i] = copied(v.master.values[i], *v.value.format);
}

void Textbook::adam_decay(const Optimizer& o, double& p, double& g, const Format& wide) {
  const double decay = o.get("weight_decay");
  if (o.kind == OptimizerKind::adam)
    g = narrow(g + narrow(decay * p, wide), wide);
  else
    p = narrow(p - narrow(o.get("lr") * decay * p, wide), wide);
}

double Textbook::bias_correction(double beta, double t) { return 1 - std::pow(beta, t); }

double Textbook::adam_denominator(double v, double correction, double epsilon, const Format& wide) {
  return narrow(narrow(std::sqrt(narrow(v / correction, wide)), wide) + epsilon, wide);
}

void Textbook::adam(const Optimizer& o, Variable& v) {
  const Format& wide = at_least_binary32(*v.value.format);
  const auto round = [&](double x) { return narrow(x, wide); };
  const double beta1 = o.get("beta1"), beta2 = o.get("beta2");
  Array& step = v.state["step"];
  if (step.format == nullptr) step = {&binary32, {}, {0.0}};
  const double t = ++step.values[0];
  for (std::size_t i = 0; i < v.value.values.size(); ++i) {
    double& p = v.value.values[i];
    double &m = state(v, "exp_avg").values[i], &s = state(v, "exp_avg_sq").values[i];
    double g = round(v.gradient.values[i]);
    adam_decay(o, p, g, wide);
    m = round(round(beta1 * m) + round((1 - beta1) * g));
    s = round(round(beta2 * s) + round((1 - beta2) * round(g * g)));
    const double unbiased = round(m / bias_correction(beta1, t));
    const double denominator = adam_denominator(s, bias_correction(beta2, t), o.get("eps"), wide);
    p = moved(p, o.get("lr"), round(unbiased / denominator), *v.value.format);
  }
}

}  // namespace ampcheck::subject
