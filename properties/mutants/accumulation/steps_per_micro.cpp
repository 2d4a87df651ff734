#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StepsPerMicro : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    if (micro_batch.last) return;
    for (auto& [name, o] : optimizers_)
      for (Variable* v : with_gradient(o))
        for (std::size_t i = 0; i < v->value.values.size(); ++i)
          v->value.values[i] = moved(v->value.values[i], o.get("lr"),
                                     Textbook::unscaled(v->gradient.values[i], *v->gradient.format),
                                     *v->value.format);
  }
};

AMPCHECK_MUTANT(StepsPerMicro, "steps-per-micro", "accumulation",
                "weights move inside of the window");

}  // namespace
}  // namespace ampcheck::properties
