#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct DivideAccumulatorEachMicro : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward whole = micro_batch;
    whole.divide = 1;
    divide_ = static_cast<double>(micro_batch.divide);
    Textbook::backward(whole);
    divide_ = 1;
  }
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    Textbook::accumulate(v, terms);
    for (double& g : v.gradient.values) g = subject::narrow(g / divide_, *v.gradient.format);
  }
  double divide_ = 1;
};

AMPCHECK_MUTANT(DivideAccumulatorEachMicro, "divide-accumulator-each-micro", "accumulation",
                "the sum so far is divided again with every micro-batch");

}  // namespace
}  // namespace ampcheck::properties
