#include <set>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GradsKeptAfterSkip : subject::Textbook {
  void skip_step(Optimizer& o) override { skipped_.insert(o.name); }
  void zero_grad(Optimizer& o) override {
    if (skipped_.erase(o.name) == 0) Textbook::zero_grad(o);
  }
  std::set<std::string> skipped_;
};

AMPCHECK_MUTANT(GradsKeptAfterSkip, "grads-kept-after-skip", "skipping",
                "the gradients of a skipped window reach the next");

}  // namespace
}  // namespace ampcheck::properties
