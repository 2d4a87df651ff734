#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct VerdictNeverTold : subject::Textbook {
  std::optional<bool> shown_stepped(bool) override { return {}; }
  std::optional<bool> shown_found_non_finite(const Optimizer&) override { return {}; }
};

AMPCHECK_MUTANT(VerdictNeverTold, "verdict-never-told", "skipping",
                "nobody learns whether a step was taken");

}  // namespace
}  // namespace ampcheck::properties
