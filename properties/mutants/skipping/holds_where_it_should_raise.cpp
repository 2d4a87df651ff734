#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HoldsWhereItShouldRaise : subject::Textbook {
  void back_off() override {
    scaler_.scale = std::max(static_cast<float>(scaler_.scale * scaler_.backoff_factor), 1.0f);
  }
};

AMPCHECK_MUTANT(HoldsWhereItShouldRaise, "holds-where-it-should-raise", "skipping",
                "an overflow at the floor goes on without the declared error",
                (PolicyChanges{{"floor", number(1)}, {"at_floor", word("raise")}}));

}  // namespace
}  // namespace ampcheck::properties
