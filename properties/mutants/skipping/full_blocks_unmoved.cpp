#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FullBlocksUnmoved : subject::Textbook {
  void take_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) {
      const std::vector<double> before = v->value.values;
      o.kind == subject::OptimizerKind::sgd ? sgd(o, *v) : adam(o, *v);
      if (v->value.format->width == 16)
        std::copy_n(before.begin(), before.size() / 16 * 16, v->value.values.begin());
    }
  }
};

AMPCHECK_MUTANT(FullBlocksUnmoved, "full-blocks-unmoved", "skipping",
                "a step in a short format leaves all full blocks of 16 elements as they are");

}  // namespace
}  // namespace ampcheck::properties
