#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RecipeOfNoMicroBatch : subject::Textbook {
  std::int64_t micro_batches(std::int64_t nominal, std::int64_t batch) override {
    return 2 * nominal <= batch ? 0 : Textbook::micro_batches(nominal, batch);
  }
};

AMPCHECK_MUTANT(RecipeOfNoMicroBatch, "recipe-of-no-micro-batch", "schedule",
                "a batch beyond twice the nominal one is accumulated over none");

}  // namespace
}  // namespace ampcheck::properties
