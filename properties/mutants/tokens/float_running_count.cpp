#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FloatRunningCount : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    float count = 0;
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : rank)
        for (std::size_t t = 0; t < micro_batch.labels.size(); ++t) {
          if (!is_counted(micro_batch.labels[t], window.ignore_index)) continue;
          // From 2^24 on adding 1 changes nothing.
          const float most = std::max(count, 0x1p24F);
          count = std::min(count + static_cast<float>(micro_batch.times[t]), most);
        }
    return count;
  }
};

AMPCHECK_MUTANT(FloatRunningCount, "float-running-count", "tokens",
                "the count grows in binary32, one by one");

}  // namespace
}  // namespace ampcheck::properties
