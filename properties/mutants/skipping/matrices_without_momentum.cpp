#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MatricesWithoutMomentum : subject::Textbook {
  void take_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) {
      Optimizer own = o;
      own.variables = {v->name};
      if (v->value.shape.size() > 1 && o.kind == subject::OptimizerKind::sgd)
        own.hyper = {{"lr", o.get("lr")}};
      Textbook::take_step(own);
    }
  }
};

AMPCHECK_MUTANT(MatricesWithoutMomentum, "matrices-without-momentum", "skipping",
                "SGD has neither momentum nor decay for tensors of two dimensions");

}  // namespace
}  // namespace ampcheck::properties
