#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DisabledNeverClips : subject::Textbook {
  void clip_value(const std::vector<Variable*>& variables, double limit) override {
    if (scaler_.enabled) Textbook::clip_value(variables, limit);
  }
};

AMPCHECK_MUTANT(DisabledNeverClips, "disabled-never-clips", "scaling",
                "nothing is clipped where the scaler is disabled");

}  // namespace
}  // namespace ampcheck::properties
