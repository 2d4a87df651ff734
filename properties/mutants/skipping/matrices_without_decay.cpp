#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MatricesWithoutDecay : subject::Textbook {
  void adam(const Optimizer& o, Variable& v) override {
    Optimizer own = o;
    if (v.value.shape.size() > 1) own.hyper["weight_decay"] = 0;
    Textbook::adam(own, v);
  }
};

AMPCHECK_MUTANT(MatricesWithoutDecay, "matrices-without-decay", "skipping",
                "Adam and AdamW do not decay tensors of two dimensions");

}  // namespace
}  // namespace ampcheck::properties
