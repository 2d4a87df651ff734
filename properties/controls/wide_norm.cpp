#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct WideNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) sum += g * g;
    return std::sqrt(sum);
  }
  double clip_factor(double norm, double limit) override {
    return std::min<double>(static_cast<float>(limit / norm), 1.0);
  }
};

AMPCHECK_CONTROL(WideNorm, "wide-norm",
                 "the norm of a clip is kept in binary64, its factor in binary32", {});

}  // namespace
}  // namespace ampcheck::properties
