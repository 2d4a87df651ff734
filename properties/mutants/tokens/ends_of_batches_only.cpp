#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EndsOfBatchesOnly : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    subject::TokenWindow one = window;
    for (auto& rank : one.ranks)
      for (subject::TokenMicroBatch& micro_batch : rank) micro_batch.rows = 1;
    return Textbook::window_count(one);
  }
};

AMPCHECK_MUTANT(EndsOfBatchesOnly, "ends-of-batches-only", "tokens",
                "the count leaves out one position a micro-batch, not one a text");

}  // namespace
}  // namespace ampcheck::properties
