#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ChecksTheLastMicroBatch : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    touched_.clear();
    for (const subject::Coefficients& c : micro_batch.coefficients)
      touched_.push_back(&variable(c.parameter));
    Textbook::backward(micro_batch);
  }
  bool non_finite(const std::vector<Variable*>& variables) override {
    std::vector<Variable*> checked;
    for (Variable* v : variables)
      if (std::find(touched_.begin(), touched_.end(), v) != touched_.end()) checked.push_back(v);
    return Textbook::non_finite(checked);
  }

 private:
  std::vector<const Variable*> touched_;
};

AMPCHECK_MUTANT(ChecksTheLastMicroBatch, "checks-the-last-micro-batch", "skipping",
                "looks for inf and NaN where the last micro-batch brought a gradient");

}  // namespace
}  // namespace ampcheck::properties
