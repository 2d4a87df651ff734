#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SharedDividedTwice : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) v->unit = subject::Unit::scaled;
    Textbook::divide_gradients(o);
  }
};

AMPCHECK_MUTANT(SharedDividedTwice, "shared-divided-twice", "scaling",
                "a parameter of two optimizers is divided by each");

}  // namespace
}  // namespace ampcheck::properties
