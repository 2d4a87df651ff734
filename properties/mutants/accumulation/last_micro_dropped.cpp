#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LastMicroDropped : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward kept = micro_batch;
    if (micro_batch.last && several_) kept.coefficients.clear();
    several_ = !micro_batch.last;
    Textbook::backward(kept);
  }
  bool several_ = false;
};

AMPCHECK_MUTANT(LastMicroDropped, "last-micro-dropped", "accumulation",
                "the last of several micro-batches does not count");

}  // namespace
}  // namespace ampcheck::properties
