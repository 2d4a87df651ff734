#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UpdatesAtMicroBatches : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    Textbook::update();
    has_moved_ = true;
  }
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    std::vector<double> gradients = terms;
    for (double& x : gradients) {
      overflow_ = overflow_ || is_bad(x);
      x = unscaled(x, *v.gradient.format);
    }
    Textbook::accumulate(v, gradients);
    v.unit = subject::Unit::unscaled;
  }
  void divide_gradients(Optimizer&) override {}
  void update() override {
    const Scaler kept = scaler_;
    Textbook::update();
    if (has_moved_) scaler_ = kept;
    has_moved_ = false;
  }
  bool has_moved_ = false;  // in this window
};

AMPCHECK_CONTROL(UpdatesAtMicroBatches, "updates-at-micro-batches",
                 "every micro-batch is unscaled on its own, and moves the scale",
                 (PolicyChanges{{"accumulation", word("unscaled")},
                                {"update_at", word("micro_batch")}}));

}  // namespace
}  // namespace ampcheck::properties
