#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FirstMicroDropped : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    if (index_ == 1)
      for (auto& [name, v] : variables_)
        for (double& g : v.gradient.values) g = 0;
    index_ = micro_batch.last ? 0 : index_ + 1;
    Textbook::backward(micro_batch);
  }
  int index_ = 0;
};

AMPCHECK_MUTANT(FirstMicroDropped, "first-micro-dropped", "accumulation",
                "the second micro-batch overwrites the first");

}  // namespace
}  // namespace ampcheck::properties
