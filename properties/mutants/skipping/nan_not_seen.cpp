#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NanNotSeen : subject::Textbook {
  bool is_bad(double x) override { return std::isinf(x); }
};

AMPCHECK_MUTANT(NanNotSeen, "nan-not-seen", "skipping", "tests for infinity only");

}  // namespace
}  // namespace ampcheck::properties
