#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ShiftsBackwards : subject::Textbook {
  std::vector<std::int64_t> targets(const subject::TokenWindow& window,
                                    const subject::TokenMicroBatch& micro_batch) override {
    std::vector<std::int64_t> targets = Textbook::targets(window, micro_batch);
    const std::size_t length = targets.size() / static_cast<std::size_t>(micro_batch.rows);
    for (std::size_t t = 0; window.shift == 1 && t < targets.size(); ++t)
      targets[t] = t % length == 0 ? window.ignore_index : micro_batch.labels[t - 1];
    return targets;
  }
};

AMPCHECK_MUTANT(ShiftsBackwards, "shifts-backwards", "tokens",
                "a position predicts the label before its own");

}  // namespace
}  // namespace ampcheck::properties
