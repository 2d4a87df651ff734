#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct InputOnlyCheck : subject::Textbook {
  bool non_finite_after_unscale(const std::vector<Variable*>&) override { return false; }
};

AMPCHECK_MUTANT(InputOnlyCheck, "input-only-check", "skipping",
                "an overflow that the unscale itself makes is not seen");

}  // namespace
}  // namespace ampcheck::properties
