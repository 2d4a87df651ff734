#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HalfThresholdEverywhere : subject::Textbook {
  bool is_bad(double x) override { return !(std::fabs(x) <= 65504); }
};

AMPCHECK_MUTANT(HalfThresholdEverywhere, "half-threshold-everywhere", "skipping",
                "what binary16 cannot hold is an overflow in every format");

}  // namespace
}  // namespace ampcheck::properties
