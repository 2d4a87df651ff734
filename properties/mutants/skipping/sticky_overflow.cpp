#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StickyOverflow : subject::Textbook {
  void update() override {
    sticks_ = sticks_ || overflow_;
    overflow_ = sticks_;
    Textbook::update();
  }
  bool sticks_ = false;
};

AMPCHECK_MUTANT(StickyOverflow, "sticky-overflow", "skipping",
                "after one overflow every window counts as one");

}  // namespace
}  // namespace ampcheck::properties
