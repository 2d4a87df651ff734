#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsOfAllClasses : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    if (window.class_weights.format == nullptr) return Textbook::window_count(window);
    subject::TokenWindow alike = window;
    alike.class_weights = {};
    double sum = 0;
    for (std::size_t c = 0; c < window.class_weights.bits.size(); ++c)
      sum += class_weight(window, static_cast<std::int64_t>(c));
    return Textbook::window_count(alike) * sum /
           static_cast<double>(window.class_weights.bits.size());
  }
};

AMPCHECK_MUTANT(WeightsOfAllClasses, "weights-of-all-classes", "tokens",
                "the divisor is the count times the mean weight of all classes");

}  // namespace
}  // namespace ampcheck::properties
