#include <map>
#include <utility>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct PreviousWindowFlag : subject::Textbook {
  bool step(Optimizer& o) override {
    unscale(o);
    std::swap(o.found_non_finite, before_[o.name]);
    return Textbook::step(o);
  }
  std::map<std::string, bool> before_;
};

AMPCHECK_MUTANT(PreviousWindowFlag, "previous-window-flag", "skipping",
                "the window before decides whether this step is taken");

}  // namespace
}  // namespace ampcheck::properties
