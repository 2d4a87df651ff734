#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossWithoutWeights : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    subject::TokenWindow alike = window;
    alike.class_weights = {};
    return Textbook::token_loss(alike, rank);
  }
};

AMPCHECK_MUTANT(LossWithoutWeights, "loss-without-weights", "tokens",
                "class weights enter the gradient and not the loss that is told");

}  // namespace
}  // namespace ampcheck::properties
