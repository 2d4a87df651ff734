#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RecipeRoundsHalfUp : subject::Textbook {
  std::int64_t micro_batches(std::int64_t nominal, std::int64_t batch) override {
    return std::max<std::int64_t>(1, (2 * nominal + batch) / (2 * batch));
  }
};

AMPCHECK_MUTANT(RecipeRoundsHalfUp, "recipe-rounds-half-up", "schedule",
                "halves of a micro-batch are rounded up");

}  // namespace
}  // namespace ampcheck::properties
