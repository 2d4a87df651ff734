#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GradientsOfAdamClamped : subject::Textbook {
  void adam(const Optimizer& o, Variable& v) override {
    for (double& g : v.gradient.values) g = std::clamp(g, -16.0, 16.0);
    Textbook::adam(o, v);
  }
};

AMPCHECK_MUTANT(GradientsOfAdamClamped, "gradients-of-adam-clamped", "skipping",
                "Adam takes gradients beyond 16 for 16");

}  // namespace
}  // namespace ampcheck::properties
