#include <utility>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SwappedBetas : subject::Textbook {
  void adam(const Optimizer& o, Variable& v) override {
    Optimizer swapped = o;
    std::swap(swapped.hyper["beta1"], swapped.hyper["beta2"]);
    Textbook::adam(swapped, v);
  }
};

AMPCHECK_MUTANT(SwappedBetas, "swapped-betas", "skipping",
                "Adam's moments decay with each other's beta");

}  // namespace
}  // namespace ampcheck::properties
