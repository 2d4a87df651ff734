#include <set>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FlagResetEverySecond : subject::Textbook {
  void unscale(Optimizer& o) override {
    Textbook::unscale(o);
    o.found_non_finite = o.found_non_finite || kept_.contains(o.name);
  }
  void update() override {
    if (++windows_ % 2 == 0) {
      kept_.clear();
    } else {
      for (const auto& [name, o] : optimizers_)
        if (o.found_non_finite) kept_.insert(name);
    }
    Textbook::update();
  }
  std::set<std::string> kept_;
  int windows_ = 0;
};

AMPCHECK_MUTANT(FlagResetEverySecond, "flag-reset-every-second", "skipping",
                "what was found is forgotten only after every second window");

}  // namespace
}  // namespace ampcheck::properties
