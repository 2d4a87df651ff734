#include <algorithm>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct EpsilonUndeclared : subject::Textbook {
  double clip_factor(double norm, double limit) override {
    return std::min(subject::narrow(limit / (norm + 1e-6), reference::binary32), 1.0);
  }
};

AMPCHECK_MUTANT(EpsilonUndeclared, "epsilon-undeclared", "clipping",
                "adds 1e-6 to the norm, and does not say so");

}  // namespace
}  // namespace ampcheck::properties
