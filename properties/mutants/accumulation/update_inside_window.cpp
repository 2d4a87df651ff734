#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UpdateInsideWindow : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    if (!micro_batch.last) grow();
  }
};

AMPCHECK_MUTANT(UpdateInsideWindow, "update-inside-window", "accumulation",
                "the scale changes between micro-batches");

}  // namespace
}  // namespace ampcheck::properties
