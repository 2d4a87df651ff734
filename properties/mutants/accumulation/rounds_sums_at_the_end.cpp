#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct RoundsSumsAtTheEnd : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      for (double& g : v->gradient.values) g = subject::narrow(g, *v->value.format);
    Textbook::divide_gradients(o);
  }
};

AMPCHECK_MUTANT(RoundsSumsAtTheEnd, "rounds-sums-at-the-end", "accumulation",
                "the sum of a window is rounded to the format of its parameter, undeclared");

}  // namespace
}  // namespace ampcheck::properties
