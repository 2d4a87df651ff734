#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SubnormalIsBad : subject::Textbook {
  bool is_bad(double x) override {
    return Textbook::is_bad(x) || (x != 0 && std::fabs(x) < 0x1p-126);
  }
};

AMPCHECK_MUTANT(SubnormalIsBad, "subnormal-is-bad", "skipping",
                "subnormal gradients skip the step");

}  // namespace
}  // namespace ampcheck::properties
