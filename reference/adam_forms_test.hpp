// Adam as libraries order its operations, emulated: torch, optax, Keras, Apex, DeepSpeed, MLX.
#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "reference/emulation_test.hpp"
#include "reference/hyper.hpp"

namespace ampcheck::reference {

struct Settings {
  double lr = 0, beta1 = 0, beta2 = 0, eps = 0, decay = 0;

  Hyper hyper() const {
    return {{"lr", number(binary64, lr)},
            {"beta1", number(binary64, beta1)},
            {"beta2", number(binary64, beta2)},
            {"eps", number(binary64, eps)},
            {"weight_decay", number(binary64, decay)}};
  }
};

inline constexpr Settings kDyadic{0x1p-3, 0.875, 1 - 0x1p-10, 0x1p-60};
inline constexpr Settings kUsual{1e-3, 0.9, 0.999, 1e-8};

struct Element {
  double p = 0, m = 0, v = 0;
  int t = 0;
};

// What is a scalar tensor, and never narrower than binary32.
inline const Machine& scalar(const Machine& w) {
  static const Machine kBinary32(binary32);
  return w.format() == binary64 ? w : kBinary32;
}

// Scalars in double, as in Python, and tensors in a format.
struct Torch {
  const Machine& w;
  Settings s;
  bool decoupled;

  double decayed(Element& e, double g) const {
    if (s.decay == 0) return g;
    if (!decoupled) return w.fma(w.narrow(s.decay), e.p, g);
    e.p = w.multiply(e.p, w.narrow(1 - s.lr * s.decay));
    return g;
  }
  // exp_avg.lerp_, exp_avg_sq.mul_().addcmul_(), addcdiv_.
  void loop(Element& e, double g) const {
    g = decayed(e, g);
    ++e.t;
    e.m = w.fma(w.narrow(1 - s.beta1), w.add(g, -e.m), e.m);
    e.v = w.add(w.multiply(e.v, w.narrow(s.beta2)),
                w.multiply(w.multiply(w.narrow(1 - s.beta2), g), g));
    const double bias1 = 1 - std::pow(s.beta1, e.t), root2 = std::sqrt(1 - std::pow(s.beta2, e.t));
    const double denominator = w.add(w.divide(w.root(e.v), w.narrow(root2)), w.narrow(s.eps));
    e.p = w.add(e.p, w.divide(w.multiply(w.narrow(-s.lr / bias1), e.m), denominator));
  }
  // The step as a tensor: bias corrections, too, are rounded, and the step size is folded into the
  // denominator.
  void capturable(Element& e, double g) const {
    g = decayed(e, g);
    ++e.t;
    e.m = w.add(w.multiply(e.m, w.narrow(s.beta1)), w.multiply(w.narrow(1 - s.beta1), g));
    e.v = w.add(w.multiply(e.v, w.narrow(s.beta2)),
                w.multiply(w.narrow(1 - s.beta2), w.multiply(g, g)));
    const Machine& a = scalar(w);
    const double bias1 = a.add(1, -a.narrow(std::pow(a.narrow(s.beta1), e.t)));
    const double bias2 = a.add(1, -a.narrow(std::pow(a.narrow(s.beta2), e.t)));
    const double size = a.divide(a.narrow(s.lr), bias1);
    const double denominator =
        w.add(w.divide(w.root(e.v), w.narrow(a.multiply(a.root(bias2), size))),
              w.divide(w.narrow(s.eps), size));
    e.p = w.add(e.p, -w.divide(e.m, denominator));
  }
  // The same with lists of tensors, where the step size is the reciprocal of bc1/lr, and that a
  // product with 1/lr.
  void foreach_capturable(Element& e, double g) const {
    g = decayed(e, g);
    ++e.t;
    e.m = w.fma(w.narrow(1 - s.beta1), w.add(g, -e.m), e.m);
    e.v = w.add(w.multiply(e.v, w.narrow(s.beta2)),
                w.multiply(w.multiply(w.narrow(1 - s.beta2), g), g));
    const Machine& a = scalar(w);
    const double bias1 = a.add(1, -a.narrow(std::pow(a.narrow(s.beta1), e.t)));
    const double bias2 = a.add(1, -a.narrow(std::pow(a.narrow(s.beta2), e.t)));
    const double size = a.divide(1, a.multiply(bias1, a.divide(1, a.narrow(s.lr))));
    const double denominator =
        w.add(w.divide(w.root(e.v), w.narrow(a.root(bias2))), w.narrow(s.eps));
    e.p = w.add(e.p, -w.divide(e.m, w.divide(denominator, size)));
  }
  // In binary32, products with a setting in binary64, and stored once.
  void fused(Element& e, double g) const {
    const Machine& a = scalar(w);
    double p = e.p;
    if (s.decay != 0 && !decoupled) g = a.narrow(g + p * s.decay);
    if (s.decay != 0 && decoupled) p = a.narrow(p - s.lr * s.decay * p);
    ++e.t;
    const double m = a.narrow(s.beta1 * e.m + (1 - s.beta1) * g);
    const double v = a.narrow(s.beta2 * e.v + (1 - s.beta2) * g * g);
    const double bias1 = a.narrow(1 - std::pow(s.beta1, e.t));
    const double root2 = a.narrow(std::sqrt(1 - std::pow(s.beta2, e.t)));
    const double size = a.narrow(s.lr / bias1);
    const double denominator = a.narrow(a.divide(a.root(v), root2) + s.eps);
    e.p = w.narrow(a.add(p, -a.divide(a.multiply(size, m), denominator)));
    e.m = w.narrow(m);
    e.v = w.narrow(v);
  }
};

// √v·(1/√bc2) with or without a fused addition of epsilon, the quotient scaled last (DeepSpeed's
// processors); decay before that.
inline void deepspeed(const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
  if (!decoupled && s.decay != 0) g = w.fma(e.p, w.narrow(s.decay), g);
  ++e.t;
  const Machine& a = scalar(w);
  const double beta1 = a.narrow(s.beta1), beta2 = a.narrow(s.beta2);
  e.m = w.fma(g, w.narrow(a.add(1, -beta1)), w.multiply(e.m, w.narrow(beta1)));
  e.v = w.fma(w.multiply(g, g), w.narrow(a.add(1, -beta2)), w.multiply(e.v, w.narrow(beta2)));
  double power1 = 1, power2 = 1;
  for (int i = 0; i < e.t; ++i) {
    power1 = a.multiply(power1, beta1);
    power2 = a.multiply(power2, beta2);
  }
  const double correction = w.narrow(a.divide(1, a.root(a.add(1, -power2))));
  const double size = w.narrow(a.divide(a.narrow(s.lr), a.add(1, -power1)));
  const double update = w.divide(e.m, w.add(w.multiply(w.root(e.v), correction), w.narrow(s.eps)));
  if (decoupled && s.decay != 0)
    e.p = w.fma(e.p, w.narrow(-a.multiply(a.narrow(s.lr), a.narrow(s.decay))), e.p);
  e.p = w.add(e.p, -w.multiply(update, size));
}

// Every division as a product with a reciprocal, the most roundings that a form has: lr·m·(1/bc1)
// times the reciprocal of √v·(1/√bc2) + eps. (MLX has c·m over such a denominator.)
inline void reciprocals(const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
  if (!decoupled && s.decay != 0) g = w.add(g, w.multiply(w.narrow(s.decay), e.p));
  if (decoupled && s.decay != 0)
    e.p = w.multiply(e.p, w.add(1, -w.multiply(w.narrow(s.lr), w.narrow(s.decay))));
  ++e.t;
  e.m = w.add(w.multiply(w.narrow(s.beta1), e.m), w.multiply(w.narrow(1 - s.beta1), g));
  e.v = w.add(w.multiply(w.narrow(s.beta2), e.v),
              w.multiply(w.narrow(1 - s.beta2), w.multiply(g, g)));
  const Machine& a = scalar(w);
  const double bias1 = w.narrow(a.add(1, -a.narrow(std::pow(a.narrow(s.beta1), e.t))));
  const double bias2 = w.narrow(a.add(1, -a.narrow(std::pow(a.narrow(s.beta2), e.t))));
  const double numerator = w.multiply(w.multiply(w.narrow(s.lr), w.divide(1, bias1)), e.m);
  const double denominator =
      w.add(w.multiply(w.root(e.v), w.divide(1, w.root(bias2))), w.narrow(s.eps));
  e.p = w.add(e.p, -w.multiply(numerator, w.divide(1, denominator)));
}

// Moments corrected one by one, the update scaled last; decay inside of it. Apex, too.
inline void optax(const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
  if (!decoupled && s.decay != 0) g = w.add(g, w.multiply(w.narrow(s.decay), e.p));
  ++e.t;
  e.m = w.add(w.multiply(w.narrow(1 - s.beta1), g), w.multiply(w.narrow(s.beta1), e.m));
  e.v = w.add(w.multiply(w.narrow(1 - s.beta2), w.multiply(g, g)),
              w.multiply(w.narrow(s.beta2), e.v));
  const Machine& a = scalar(w);
  const double bias1 = a.add(1, -a.narrow(std::pow(a.narrow(s.beta1), e.t)));
  const double bias2 = a.add(1, -a.narrow(std::pow(a.narrow(s.beta2), e.t)));
  double update = w.divide(w.divide(e.m, w.narrow(bias1)),
                           w.add(w.root(w.divide(e.v, w.narrow(bias2))), w.narrow(s.eps)));
  if (decoupled && s.decay != 0) update = w.add(update, w.multiply(w.narrow(s.decay), e.p));
  e.p = w.add(e.p, w.multiply(w.narrow(-s.lr), update));
}

// m += (g - m)·(1 - beta1), epsilon-hat.
inline void keras(const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
  if (!decoupled && s.decay != 0) g = w.add(g, w.multiply(w.narrow(s.decay), e.p));
  if (decoupled && s.decay != 0)
    e.p = w.add(e.p, -w.multiply(w.multiply(e.p, w.narrow(s.decay)), w.narrow(s.lr)));
  ++e.t;
  const Machine& a = scalar(w);
  const double power1 = a.narrow(std::pow(a.narrow(s.beta1), e.t));
  const double power2 = a.narrow(std::pow(a.narrow(s.beta2), e.t));
  const double alpha =
      w.narrow(a.divide(a.multiply(a.narrow(s.lr), a.root(a.add(1, -power2))), a.add(1, -power1)));
  e.m = w.add(e.m, w.multiply(w.add(g, -e.m), w.narrow(1 - s.beta1)));
  e.v = w.add(e.v, w.multiply(w.add(w.multiply(g, g), -e.v), w.narrow(1 - s.beta2)));
  e.p = w.add(e.p, -w.divide(w.multiply(e.m, alpha), w.add(w.root(e.v), w.narrow(s.eps))));
}

using Form = std::function<void(const Machine&, const Settings&, bool, Element&, double)>;

inline const std::pair<const char*, Form> kPlainForms[] = {
    {"torch loop",
     [](const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
       Torch{w, s, decoupled}.loop(e, g);
     }},
    {"torch capturable",
     [](const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
       Torch{w, s, decoupled}.capturable(e, g);
     }},
    {"torch foreach, capturable",
     [](const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
       Torch{w, s, decoupled}.foreach_capturable(e, g);
     }},
    {"torch fused",
     [](const Machine& w, const Settings& s, bool decoupled, Element& e, double g) {
       Torch{w, s, decoupled}.fused(e, g);
     }},
    {"optax", optax},
    {"DeepSpeed", deepspeed},
    {"reciprocals", reciprocals},
};

}  // namespace ampcheck::reference
