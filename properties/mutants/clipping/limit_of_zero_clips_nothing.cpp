#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LimitOfZeroClipsNothing : subject::Textbook {
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    if (limit > 0) Textbook::clip_value(variables, limit);
  }
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    limit > 0 ? Textbook::clip_norm(variables, limit) : void(shown_norm(variables));
  }
};

AMPCHECK_MUTANT(LimitOfZeroClipsNothing, "limit-of-zero-clips-nothing", "clipping",
                "takes a limit of 0 for no limit");

}  // namespace
}  // namespace ampcheck::properties
