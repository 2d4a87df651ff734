#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct Bfloat16SumsWithoutAScaler : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    Textbook::accumulate(v, terms);
    if (scaler_.enabled || v.value.format->width > 16) return;
    for (double& g : v.gradient.values) g = subject::narrow(g, *v.value.format);
  }
};

AMPCHECK_MUTANT(Bfloat16SumsWithoutAScaler, "bfloat16-sums-without-a-scaler", "weights",
                "without a scaler bfloat16 is added up in bfloat16, undeclared");

}  // namespace
}  // namespace ampcheck::properties
