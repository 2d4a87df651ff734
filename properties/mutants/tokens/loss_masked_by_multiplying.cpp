#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct LossMaskedByMultiplying : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    double masked = 0;
    for (const auto& ranks : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : ranks)
        for (const std::uint64_t bits : micro_batch.losses.bits)
          masked += 0 * subject::to_double(bits, *micro_batch.losses.format);
    return Textbook::token_loss(window, rank) + masked;
  }
};

AMPCHECK_MUTANT(
    LossMaskedByMultiplying, "loss-masked-by-multiplying", "tokens",
    "the losses of ignored tokens are multiplied with 0 and told, so that inf becomes NaN");

}  // namespace
}  // namespace ampcheck::properties
