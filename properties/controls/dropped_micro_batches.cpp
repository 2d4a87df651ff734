#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DroppedMicroBatches : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    const auto before = variables_;
    bad_ = false;
    Textbook::backward(micro_batch);
    if (bad_) variables_ = before;
  }
  // Of the micro-batch alone: a sum that overflows skips the window.
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    bad_ = bad_ || std::any_of(terms.begin(), terms.end(), [&](double x) { return is_bad(x); });
    Textbook::accumulate(v, terms);
  }
  bool bad_ = false;
};

AMPCHECK_CONTROL(DroppedMicroBatches, "dropped-micro-batches",
                 "leaves a micro-batch with an inf or NaN out of the sum",
                 (PolicyChanges{{"bad_micro_batch", word("dropped")}}));

}  // namespace
}  // namespace ampcheck::properties
