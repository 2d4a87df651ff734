#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DroppedMicroBatches : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    const auto before = variables_;
    Textbook::backward(micro_batch);
    const bool bad = std::any_of(
        micro_batch.coefficients.begin(), micro_batch.coefficients.end(), [&](const auto& c) {
          const std::vector<double>& sums = variable(c.parameter).gradient.values;
          return std::any_of(sums.begin(), sums.end(), [&](double x) { return is_bad(x); });
        });
    if (bad) variables_ = before;
  }
};

AMPCHECK_CONTROL(DroppedMicroBatches, "dropped-micro-batches",
                 "leaves a micro-batch with an inf or NaN out of the sum",
                 (PolicyChanges{{"bad_micro_batch", word("dropped")}}));

}  // namespace
}  // namespace ampcheck::properties
