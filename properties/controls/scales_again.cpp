#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScalesAgain : subject::Textbook {
  void refuse_mixed_sum(const subject::Backward& micro_batch) override {
    for (const subject::Coefficients& c : micro_batch.coefficients) {
      Variable& v = variable(c.parameter);
      if (v.unit != subject::Unit::unscaled) continue;
      for (double& x : v.gradient.values) x *= scaler_.scale;
      v.unit = subject::Unit::scaled;
      for (auto& [name, o] : optimizers_) o.unscaled = false;
    }
  }
};

AMPCHECK_CONTROL(ScalesAgain, "scales-again",
                 "scales unscaled gradients again where a micro-batch comes after unscale", {});

}  // namespace
}  // namespace ampcheck::properties
