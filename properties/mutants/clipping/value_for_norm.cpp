#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ValueForNorm : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    shown_norm(variables);
    clip_value(variables, limit);
  }
};

AMPCHECK_MUTANT(ValueForNorm, "value-for-norm", "clipping",
                "each element is held to the limit that is meant for the norm");

}  // namespace
}  // namespace ampcheck::properties
