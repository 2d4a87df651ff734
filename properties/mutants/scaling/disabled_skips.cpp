#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DisabledSkips : subject::Textbook {
  bool step(Optimizer& o) override {
    if (!scaler_.enabled && non_finite(with_gradient(o))) return false;
    return Textbook::step(o);
  }
};

AMPCHECK_MUTANT(DisabledSkips, "disabled-skips", "scaling", "a disabled scaler still skips steps");

}  // namespace
}  // namespace ampcheck::properties
