#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SlackInClip : subject::Textbook {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    if (shown_norm(variables) > 1.01 * limit) Textbook::clip_norm(variables, limit);
  }
};

AMPCHECK_MUTANT(SlackInClip, "slack-in-clip", "clipping", "clips only above 1.01 times the limit");

}  // namespace
}  // namespace ampcheck::properties
