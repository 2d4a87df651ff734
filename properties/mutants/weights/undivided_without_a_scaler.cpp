#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UndividedWithoutAScaler : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward whole = micro_batch;
    if (!scaler_.enabled) whole.divide = 1;
    Textbook::backward(whole);
  }
};

AMPCHECK_MUTANT(UndividedWithoutAScaler, "undivided-without-a-scaler", "weights",
                "without a scaler losses are not divided");

}  // namespace
}  // namespace ampcheck::properties
