#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FiniteByMultiplication : subject::Textbook {
  bool is_bad(double x) override { return x * 0 != 0; }
};

AMPCHECK_CONTROL(FiniteByMultiplication, "finite-by-multiplication", "tests for inf and NaN by x·0",
                 {});

}  // namespace
}  // namespace ampcheck::properties
