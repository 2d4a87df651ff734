#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CountsRowsOnce : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    std::int64_t count = 0;
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : rank)
        for (const std::int64_t label : micro_batch.labels)
          count += is_counted(label, window.ignore_index) ? 1 : 0;
    return static_cast<double>(count);
  }
};

AMPCHECK_MUTANT(CountsRowsOnce, "counts-rows-once", "tokens",
                "a row that is there several times counts once");

}  // namespace
}  // namespace ampcheck::properties
