#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TellsOfLastWindow : subject::Textbook {
  std::optional<bool> shown_found_non_finite(const Optimizer& o) override { return found_[o.name]; }
  void update() override {
    for (const auto& [name, o] : optimizers_) found_[name] = o.found_non_finite;
    Textbook::update();
  }
  std::map<std::string, bool> found_;
};

AMPCHECK_MUTANT(TellsOfLastWindow, "tells-of-last-window", "skipping",
                "what was found in the window before is told");

}  // namespace
}  // namespace ampcheck::properties
