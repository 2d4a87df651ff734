#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct IdleUpdateCounts : subject::Textbook {
  void refuse_idle_update() override {}
};

AMPCHECK_MUTANT(IdleUpdateCounts, "idle-update-counts", "skipping",
                "an update with nothing to judge counts as a clean step");

}  // namespace
}  // namespace ampcheck::properties
