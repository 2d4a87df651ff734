#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ClipPerTensor : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    for (Variable* v : variables) Textbook::clip_norm({v}, limit);
  }
};

AMPCHECK_MUTANT(ClipPerTensor, "clip-per-tensor", "clipping",
                "each tensor is clipped by its own norm");

}  // namespace
}  // namespace ampcheck::properties
