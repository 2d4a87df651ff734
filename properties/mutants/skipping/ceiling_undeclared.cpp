#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CeilingUndeclared : subject::Textbook {
  void grow() override {
    const double before = scaler_.scale;
    Textbook::grow();
    scaler_.scale = std::min(scaler_.scale, std::max(before, 0x1p24));
  }
};

AMPCHECK_MUTANT(CeilingUndeclared, "ceiling-undeclared", "skipping",
                "never grows beyond 2^24, and does not say so");

}  // namespace
}  // namespace ampcheck::properties
