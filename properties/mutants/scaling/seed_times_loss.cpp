#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct SeedTimesLoss : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    loss_ = subject::to_double(micro_batch.loss.bits, *micro_batch.loss.format);
    Textbook::backward(micro_batch);
  }
  double seed(const Format& loss_format) override {
    return subject::narrow(scaler_.scale * loss_, loss_format);
  }
  double loss_ = 1;
};

AMPCHECK_MUTANT(SeedTimesLoss, "seed-times-loss", "scaling",
                "the loss itself is back-propagated, times the scale");

}  // namespace
}  // namespace ampcheck::properties
