#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DisabledStepsOnce : subject::Textbook {
  bool step(Optimizer& o) override {
    if (!scaler_.enabled && std::exchange(has_stepped_, true)) return false;
    return Textbook::step(o);
  }

 private:
  bool has_stepped_ = false;
};

AMPCHECK_MUTANT(DisabledStepsOnce, "disabled-steps-once", "scaling",
                "a disabled scaler takes the first step only");

}  // namespace
}  // namespace ampcheck::properties
