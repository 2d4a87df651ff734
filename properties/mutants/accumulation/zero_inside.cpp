#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ZeroInside : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    for (auto& [name, o] : optimizers_) zero_grad(o);
    Textbook::backward(micro_batch);
  }
};

AMPCHECK_MUTANT(ZeroInside, "zero-inside", "accumulation",
                "gradients are cleared in every backward");

}  // namespace
}  // namespace ampcheck::properties
