#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TimesWorldLeftIn : subject::Textbook {
  double micro_batch_weight(const subject::TokenWindow& window,
                            const subject::TokenMicroBatch& micro_batch) override {
    const double weight = Textbook::micro_batch_weight(window, micro_batch);
    const double world = static_cast<double>(window.ranks.size());
    return window.reducer == subject::Reducer::sum ? weight * world : weight;
  }
};

AMPCHECK_MUTANT(TimesWorldLeftIn, "times-world-left-in", "tokens",
                "multiplies with the number of ranks although the reducer sums");

}  // namespace
}  // namespace ampcheck::properties
