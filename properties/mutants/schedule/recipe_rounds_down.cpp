#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RecipeRoundsDown : subject::Textbook {
  std::int64_t micro_batches(std::int64_t nominal, std::int64_t batch) override {
    return std::max<std::int64_t>(1, nominal / batch);
  }
};

AMPCHECK_MUTANT(RecipeRoundsDown, "recipe-rounds-down", "schedule",
                "the number of micro-batches is cut to an integer");

}  // namespace
}  // namespace ampcheck::properties
