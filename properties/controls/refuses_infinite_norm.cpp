#include <cmath>

#include "properties/mutants/squares_in_binary32.hpp"

namespace ampcheck::properties {
namespace {

// torch's error_if_nonfinite.
struct RefusesInfiniteNorm : SquaresInBinary32 {
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    if (!std::isfinite(shown_norm(variables))) throw subject::Raised("the norm is not finite");
    Textbook::clip_norm(variables, limit);
  }
};

AMPCHECK_CONTROL(RefusesInfiniteNorm, "refuses-infinite-norm",
                 "squares overflow in binary32, and a norm that is inf or NaN is refused", {});

}  // namespace
}  // namespace ampcheck::properties
