#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FindsNothing : subject::Textbook {
  std::optional<bool> shown_found_non_finite(const Optimizer&) override { return false; }
};

AMPCHECK_MUTANT(FindsNothing, "finds-nothing", "skipping", "no inf or NaN is ever told of");

}  // namespace
}  // namespace ampcheck::properties
