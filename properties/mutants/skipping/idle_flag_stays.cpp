#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct IdleFlagStays : subject::Textbook {
  void update() override {
    for (const auto& [name, o] : optimizers_) {
      if (o.stepped) found_[name] = o.found_non_finite;
      overflow_ = overflow_ || found_[name];
    }
    Textbook::update();
  }

 private:
  std::map<std::string, bool> found_;
};

AMPCHECK_MUTANT(IdleFlagStays, "idle-flag-stays", "skipping",
                "an optimizer that does nothing in a window reports what it found in its last one");

}  // namespace
}  // namespace ampcheck::properties
