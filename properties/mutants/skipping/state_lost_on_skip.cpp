#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StateLostOnSkip : subject::Textbook {
  void skip_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) v->state.clear();
  }
};

AMPCHECK_MUTANT(StateLostOnSkip, "state-lost-on-skip", "skipping",
                "a skipped step throws the optimizer's state away");

}  // namespace
}  // namespace ampcheck::properties
