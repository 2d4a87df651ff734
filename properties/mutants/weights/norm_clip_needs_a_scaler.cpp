#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormClipNeedsAScaler : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    if (scaler_.enabled) return Textbook::clip_norm(variables, limit);
    shown_norm(variables);
  }
};

AMPCHECK_MUTANT(NormClipNeedsAScaler, "norm-clip-needs-a-scaler", "weights",
                "without a scaler gradients are not clipped by their norm");

}  // namespace
}  // namespace ampcheck::properties
