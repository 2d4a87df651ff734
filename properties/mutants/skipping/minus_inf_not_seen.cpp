#include <cmath>
#include <limits>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MinusInfNotSeen : subject::Textbook {
  bool is_bad(double x) override {
    return std::isnan(x) || x == std::numeric_limits<double>::infinity();
  }
};

AMPCHECK_MUTANT(MinusInfNotSeen, "minus-inf-not-seen", "skipping",
                "tests for NaN and for positive infinity");

}  // namespace
}  // namespace ampcheck::properties
