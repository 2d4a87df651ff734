#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct IgnoredCounted : subject::Textbook {
  double window_count(const subject::TokenWindow& window) override {
    double count = 0;
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : rank)
        for (const std::int64_t times : micro_batch.times) count += static_cast<double>(times);
    return count;
  }
};

AMPCHECK_MUTANT(IgnoredCounted, "ignored-counted", "tokens", "tokens with the ignore index count");

}  // namespace
}  // namespace ampcheck::properties
