#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DivideAfterClip : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward whole = micro_batch;
    whole.divide = 1;
    divide_ = static_cast<double>(micro_batch.divide);
    Textbook::backward(whole);
  }
  void clip_norm(const std::vector<Variable*>& variables, double limit) override {
    Textbook::clip_norm(variables, limit);
    for (Variable* v : variables)
      for (double& g : v->gradient.values) g /= divide_;
    divide_ = 1;
  }
  void take_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      for (double& g : v->gradient.values) g /= divide_;
    Textbook::take_step(o);
  }
  double divide_ = 1;
};

AMPCHECK_MUTANT(DivideAfterClip, "divide-after-clip", "clipping",
                "what should be divided by the number of micro-batches is clipped first");

}  // namespace
}  // namespace ampcheck::properties
