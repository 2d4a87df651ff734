#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TokensNeverDivided : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow&, const subject::TokenMicroBatch&) override {
    return 1;
  }
};

AMPCHECK_MUTANT(TokensNeverDivided, "tokens-never-divided", "tokens",
                "the sum is not divided by the count");

}  // namespace
}  // namespace ampcheck::properties
