#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct HalfCount : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    return subject::narrow(Textbook::window_count(window), reference::binary16);
  }
};

AMPCHECK_MUTANT(HalfCount, "half-count", "tokens", "the count is held in binary16");

}  // namespace
}  // namespace ampcheck::properties
