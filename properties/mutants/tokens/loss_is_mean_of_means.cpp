#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LossIsMeanOfMeans : subject::Textbook {
  double token_loss(const subject::TokenWindow& window, std::size_t rank) override {
    double sum = 0, parts = 0;
    for (const auto& ranks : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : ranks) {
        subject::TokenWindow part = window;
        part.ranks = {{micro_batch}};
        sum += Textbook::token_loss(part, rank);
        parts += window_count(part) == 0 ? 0 : 1;
      }
    return parts == 0 ? 0 : sum / parts;
  }
};

AMPCHECK_MUTANT(LossIsMeanOfMeans, "loss-is-mean-of-means", "tokens",
                "the mean of the means of micro-batches is told, the gradient is right");

}  // namespace
}  // namespace ampcheck::properties
