#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

// gradient = fma(scaled, 1/S, gradient), to which compilers contract the kernel of a delayed
// unscale.
struct FusedUnscaledAccumulation : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    std::vector<double> before = v.has_gradient ? v.gradient.values : std::vector<double>();
    before.resize(terms.size());
    Textbook::accumulate(v, std::vector<double>(terms.size()));
    v.unit = subject::Unit::unscaled;
    const float reciprocal = static_cast<float>(1 / scaler_.scale);
    for (std::size_t i = 0; i < terms.size(); ++i)
      v.gradient.values[i] =
          v.gradient.format->width == 64
              ? std::fma(terms[i], static_cast<double>(reciprocal), before[i])
              : std::fma(static_cast<float>(terms[i]), reciprocal, static_cast<float>(before[i]));
  }
  void divide_gradients(Optimizer&) override {}
};

AMPCHECK_CONTROL(FusedUnscaledAccumulation, "fused-unscaled-accumulation",
                 "every micro-batch is unscaled by the fused multiply-add that adds it",
                 (PolicyChanges{{"accumulation", word("unscaled")},
                                {"unscale", word("reciprocal_binary32")}}));

}  // namespace
}  // namespace ampcheck::properties
