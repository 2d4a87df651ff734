#include <map>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SkipsTwice : subject::Textbook {
  bool step(Optimizer& o) override {
    unscale(o);
    const bool found = o.found_non_finite;
    o.found_non_finite = found || before_[o.name];
    before_[o.name] = found;
    return Textbook::step(o);
  }
  std::map<std::string, bool> before_;
};

AMPCHECK_MUTANT(SkipsTwice, "skips-twice", "skipping",
                "the window after a skipped one is skipped, too");

}  // namespace
}  // namespace ampcheck::properties
