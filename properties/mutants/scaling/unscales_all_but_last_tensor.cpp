#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscalesAllButLastTensor : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    const std::vector<Variable*> variables = with_gradient(o);
    if (variables.size() > 1) variables.back()->unit = subject::Unit::unscaled;
    Textbook::divide_gradients(o);
  }
};

AMPCHECK_MUTANT(UnscalesAllButLastTensor, "unscales-all-but-last-tensor", "scaling",
                "the last of several tensors is not unscaled");

}  // namespace
}  // namespace ampcheck::properties
