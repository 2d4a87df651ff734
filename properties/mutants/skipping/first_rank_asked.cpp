#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FirstRankAsked : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    asks_ = window.ranks.size() == 1;
    for (const subject::TokenMicroBatch& micro_batch : window.ranks.front())
      for (const std::uint64_t c : micro_batch.coefficients.bits)
        asks_ = asks_ || !micro_batch.coefficients.format->is_finite(c);
    Textbook::token_window(window);
  }
  bool is_bad(double x) override { return asks_ && Textbook::is_bad(x); }
  bool asks_ = true;
};

AMPCHECK_MUTANT(FirstRankAsked, "first-rank-asked", "skipping",
                "an inf or NaN of another rank than the first is not seen");

}  // namespace
}  // namespace ampcheck::properties
