// Writes cases: a thin layer over subject::Case that names what generators say again and again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/generators/floats.hpp"
#include "subject/case.hpp"

namespace ampcheck::properties {

using subject::Case;
using subject::Scalar;
using subject::Tensor;

inline Scalar scalar(std::uint64_t bits, const NumberFormat& f) { return {&f, bits}; }
inline Scalar scalar_power_of_two(int exponent, const NumberFormat& f) {
  return {&f, power_of_two(exponent, f)};
}
inline Tensor vector(std::vector<std::uint64_t> bits, const NumberFormat& f) {
  return {&f, {static_cast<std::int64_t>(bits.size())}, std::move(bits)};
}

// The scaler of a case. Factors 2 and 1/2 in binary64, which every correct subject multiplies
// exactly.
struct ScalerPlan {
  Scalar init_scale = scalar_power_of_two(3, reference::binary32);
  int growth_interval = 1000;  // never in a case that does not say so
  Scalar growth_factor = scalar_power_of_two(1, reference::binary64);
  Scalar backoff_factor = scalar_power_of_two(-1, reference::binary64);
  bool enabled = true;
};

// Mostly loop, which every subject has.
subject::OptimizerForm draw_form(Draw&);

class CaseBuilder {
 public:
  CaseBuilder& scaler(const ScalerPlan& plan);
  // SGD with learning rate 2^lr_exponent (binary64).
  CaseBuilder& sgd(const std::string& name, std::vector<subject::Parameter> parameters,
                   int lr_exponent = -1,
                   subject::OptimizerForm form = subject::OptimizerForm::loop);
  CaseBuilder& optimizer(subject::MakeOptimizer made);
  // Loss 1 in binary32.
  CaseBuilder& backward(std::vector<subject::Coefficients> coefficients, bool last = true);
  // Of the micro-batch that was added last: its loss is divided by this.
  CaseBuilder& divide(std::int64_t by);
  CaseBuilder& unscale(const std::string& optimizer);
  CaseBuilder& clip_norm(std::vector<std::string> optimizers, const Scalar& limit,
                         const Scalar& p = subject::ClipNorm{}.p);
  CaseBuilder& clip_value(std::vector<std::string> optimizers, const Scalar& limit);
  // Looks at `stepped`, too: where a policy leaves open whether a step is taken, the rest hangs on
  // it.
  CaseBuilder& step(const std::string& optimizer);
  CaseBuilder& update();
  CaseBuilder& zero_grad(const std::string& optimizer, bool to_none = true);
  CaseBuilder& save_load();
  // Of the whole case; 1 where nothing is said.
  CaseBuilder& ranks(std::int64_t count);
  CaseBuilder& add(subject::Action action);
  // Names that the last step looks at.
  CaseBuilder& observe(std::vector<std::string> names);

  // step, update, zero_grad of one optimizer.
  CaseBuilder& finish_window(const std::string& optimizer);

  Case done() { return std::move(case_); }

 private:
  Case case_;
};

// A parameter with all elements zero.
subject::Parameter zeros(const std::string& name, std::size_t size, const NumberFormat& f);

}  // namespace ampcheck::properties
