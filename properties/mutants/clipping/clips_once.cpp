#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ClipsOnce : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    if (clipped_)
      shown_norm(variables);
    else
      Textbook::clip_norm(variables, limit);
    clipped_ = true;
  }
  bool clipped_ = false;
};

AMPCHECK_MUTANT(ClipsOnce, "clips-once", "clipping", "only the first clip of a training clips");

}  // namespace
}  // namespace ampcheck::properties
