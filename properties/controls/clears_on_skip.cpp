#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ClearsOnSkip : subject::Textbook {
  void skip_step(Optimizer& o) override { zero_grad(o); }
};

AMPCHECK_CONTROL(ClearsOnSkip, "clears-on-skip", "the gradients of a skipped step are set to none",
                 {});

}  // namespace
}  // namespace ampcheck::properties
