#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct Bfloat16Accumulator : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    Textbook::accumulate(v, terms);
    if (v.value.format->width > 16) return;
    for (double& g : v.gradient.values) g = subject::narrow(g, reference::bfloat16);
  }
};

AMPCHECK_MUTANT(Bfloat16Accumulator, "bfloat16-accumulator", "accumulation",
                "gradients of short parameters are added in bfloat16, undeclared");

}  // namespace
}  // namespace ampcheck::properties
