#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GradientAtIgnored : subject::Textbook {
  bool is_counted(std::int64_t label, std::int64_t ignore_index) override {
    return !counting_ || Textbook::is_counted(label, ignore_index);
  }
  double window_count(const subject::TokenWindow& window) override {
    counting_ = true;
    const double count = Textbook::window_count(window);
    counting_ = false;
    return count;
  }
  bool counting_ = false;
};

AMPCHECK_MUTANT(GradientAtIgnored, "gradient-at-ignored", "tokens",
                "ignored tokens do not count, but have a gradient");

}  // namespace
}  // namespace ampcheck::properties
