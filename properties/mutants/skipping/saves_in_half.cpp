#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct SavesInHalf : subject::Textbook {
  Saved save() override {
    Saved saved = Textbook::save();
    for (auto& [name, v] : saved.variables)
      for (double& p : v.value.values) p = subject::narrow(p, reference::binary16);
    return saved;
  }
};

AMPCHECK_MUTANT(SavesInHalf, "saves-in-half", "skipping", "parameters are saved in binary16");

}  // namespace
}  // namespace ampcheck::properties
