#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ValueClipNeedsAScaler : subject::Textbook {
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    if (scaler_.enabled) Textbook::clip_value(variables, limit);
  }
};

AMPCHECK_MUTANT(ValueClipNeedsAScaler, "value-clip-needs-a-scaler", "weights",
                "without a scaler gradients are not clipped by value");

}  // namespace
}  // namespace ampcheck::properties
