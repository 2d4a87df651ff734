#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WeightsIgnored : subject::Textbook {
  double class_weight(const subject::TokenWindow&, std::int64_t) override { return 1; }
  double window_count(const subject::TokenWindow& window) override {
    subject::TokenWindow alike = window;
    alike.class_weights = {};
    return Textbook::window_count(alike);
  }
};

AMPCHECK_MUTANT(WeightsIgnored, "weights-ignored", "tokens", "class weights are not taken at all");

}  // namespace
}  // namespace ampcheck::properties
