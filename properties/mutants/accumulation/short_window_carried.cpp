#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ShortWindowCarried : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    is_short_ = micro_batch.divide < configured_;
    if (configured_ == 0) configured_ = micro_batch.divide;
    Textbook::backward(micro_batch);
  }
  void zero_grad(Optimizer& o) override {
    if (!is_short_) Textbook::zero_grad(o);
  }
  std::int64_t configured_ = 0;
  bool is_short_ = false;
};

AMPCHECK_MUTANT(ShortWindowCarried, "short-window-carried", "accumulation",
                "the gradients of a short window stay for the next");

}  // namespace
}  // namespace ampcheck::properties
