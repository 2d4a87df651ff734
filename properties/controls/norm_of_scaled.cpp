#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormOfScaled : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    for (const Variable* v : with_gradient(o))
      if (v->unit != subject::Unit::unscaled) scaled_[v->name] = v->gradient.values;
    Textbook::divide_gradients(o);
  }
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double x : scaled_[v->name]) sum += x * x;
    const double root = std::sqrt(sum);
    const float n = static_cast<float>(static_cast<float>(root) / scaler_.scale);
    return std::isinf(n) ? root / scaler_.scale : n;
  }
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    Textbook::clip_value(variables, limit);
    for (const Variable* v : variables)
      for (double& x : scaled_[v->name])
        x = std::isnan(x) ? x : std::clamp(x, -limit * scaler_.scale, limit * scaler_.scale);
  }
  std::map<std::string, std::vector<double>> scaled_;
};

AMPCHECK_CONTROL(NormOfScaled, "norm-of-scaled", "the norm of scaled gradients, divided by S",
                 (PolicyChanges{{"norm_input", word("scaled")}}));

}  // namespace
}  // namespace ampcheck::properties
