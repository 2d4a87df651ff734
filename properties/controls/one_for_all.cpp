#include <optional>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OneForAll : subject::Textbook {
  // Over everything that has a gradient in this window, whoever steps first.
  bool step(Optimizer& o) override {
    if (!decided_.has_value()) {
      decided_ = false;
      for (auto& [name, other] : optimizers_) {
        unscale(other);
        decided_ = *decided_ || other.found_non_finite;
      }
    }
    o.found_non_finite = *decided_;
    return Textbook::step(o);
  }
  void update() override {
    decided_.reset();
    Textbook::update();
  }
  std::optional<bool> decided_;
};

AMPCHECK_CONTROL(OneForAll, "one-for-all", "an inf or NaN skips the steps of all optimizers",
                 (PolicyChanges{{"skip_scope", word("all")}}));

}  // namespace
}  // namespace ampcheck::properties
