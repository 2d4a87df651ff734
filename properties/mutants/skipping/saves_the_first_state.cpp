#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SavesTheFirstState : subject::Textbook {
  Saved save() override {
    Saved saved = Textbook::save();
    for (const auto& [name, o] : saved.optimizers)
      for (const std::string& variable : o.variables)
        if (variable != o.variables.front()) saved.variables[variable].state.clear();
    return saved;
  }
};

AMPCHECK_MUTANT(SavesTheFirstState, "saves-the-first-state", "skipping",
                "a checkpoint holds the state of the first parameter only");

}  // namespace
}  // namespace ampcheck::properties
