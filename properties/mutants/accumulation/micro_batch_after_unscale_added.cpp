#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MicroBatchAfterUnscaleAdded : subject::Textbook {
  void refuse_mixed_sum(const subject::Backward&) override {}
};

AMPCHECK_MUTANT(MicroBatchAfterUnscaleAdded, "micro-batch-after-unscale-added", "accumulation",
                "a micro-batch that comes after unscale is added, scaled as it is");

}  // namespace
}  // namespace ampcheck::properties
