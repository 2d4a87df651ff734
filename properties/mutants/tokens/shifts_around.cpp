#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ShiftsAround : subject::Textbook {
  std::vector<std::int64_t> targets(const subject::TokenWindow& window,
                                    const subject::TokenMicroBatch& micro_batch) override {
    std::vector<std::int64_t> targets = Textbook::targets(window, micro_batch);
    const std::size_t length = targets.size() / static_cast<std::size_t>(micro_batch.rows);
    for (std::size_t t = 0; window.shift == 1 && t < targets.size(); t += length)
      targets[t + length - 1] = micro_batch.labels[t];
    return targets;
  }
};

AMPCHECK_MUTANT(ShiftsAround, "shifts-around", "tokens",
                "the last position of a text predicts its first label");

}  // namespace
}  // namespace ampcheck::properties
