#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct LossInBfloat16 : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    return subject::narrow(Textbook::token_loss(window, rank), reference::bfloat16);
  }
};

AMPCHECK_MUTANT(LossInBfloat16, "loss-in-bfloat16", "tokens", "the loss is told in bfloat16");

}  // namespace
}  // namespace ampcheck::properties
