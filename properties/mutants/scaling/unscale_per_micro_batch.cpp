#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscalePerMicroBatch : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    Textbook::accumulate(v, terms);
    for (double& x : v.gradient.values) x = unscaled(x, *v.gradient.format);
    v.unit = subject::Unit::unscaled;
  }
};

AMPCHECK_MUTANT(UnscalePerMicroBatch, "unscale-per-micro-batch", "scaling",
                "divides what has been accumulated by the scale at every micro-batch");

}  // namespace
}  // namespace ampcheck::properties
