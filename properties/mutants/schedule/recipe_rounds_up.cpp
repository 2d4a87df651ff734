#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RecipeRoundsUp : subject::Textbook {
  std::int64_t micro_batches(std::int64_t nominal, std::int64_t batch) override {
    return (nominal + batch - 1) / batch;
  }
};

AMPCHECK_MUTANT(RecipeRoundsUp, "recipe-rounds-up", "schedule",
                "windows see at least the nominal batch");

}  // namespace
}  // namespace ampcheck::properties
