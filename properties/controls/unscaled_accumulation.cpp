#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaledAccumulation : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    std::vector<double> gradients = terms;
    for (double& x : gradients) x = unscaled(x, *v.gradient.format);
    Textbook::accumulate(v, gradients);
    v.unit = subject::Unit::unscaled;
  }
  void divide_gradients(Optimizer&) override {}
};

AMPCHECK_CONTROL(UnscaledAccumulation, "unscaled-accumulation",
                 "every micro-batch is unscaled with its own scale before it is added",
                 (PolicyChanges{{"accumulation", word("unscaled")}}));

}  // namespace
}  // namespace ampcheck::properties
