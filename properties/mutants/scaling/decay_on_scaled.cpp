#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DecayOnScaled : subject::Textbook {
  void unscale(Optimizer& o) override {
    if (scaler_.enabled && !o.unscaled && o.kind == subject::OptimizerKind::sgd)
      for (Variable* v : with_gradient(o))
        for (std::size_t i = 0; i < v->gradient.values.size(); ++i)
          v->gradient.values[i] += o.get("weight_decay") * v->value.values[i];
    Textbook::unscale(o);
  }
  void take_step(Optimizer& o) override {
    Optimizer without = o;
    if (scaler_.enabled && o.kind == subject::OptimizerKind::sgd) without.hyper["weight_decay"] = 0;
    Textbook::take_step(without);
  }
};

AMPCHECK_MUTANT(DecayOnScaled, "decay-on-scaled", "scaling",
                "SGD adds its weight decay to the gradients before they are unscaled");

}  // namespace
}  // namespace ampcheck::properties
