#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EmptyFirstNoClip : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    const bool is_empty = !variables.empty() && variables.front()->gradient.values.empty();
    is_empty ? static_cast<void>(shown_norm(variables)) : Textbook::clip_norm(variables, limit);
  }
};

AMPCHECK_MUTANT(EmptyFirstNoClip, "empty-first-no-clip", "clipping",
                "nothing is clipped where the first tensor is empty");

}  // namespace
}  // namespace ampcheck::properties
