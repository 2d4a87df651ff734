#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MeanOfRunningMeans : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    subject::Backward whole = micro_batch;
    whole.divide = 1;
    averages_ = micro_batch.divide > 1;
    Textbook::backward(whole);
  }
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    const bool first = !v.has_gradient;
    Textbook::accumulate(v, terms);
    if (averages_ && !first)
      for (double& g : v.gradient.values) g /= 2;
  }
  bool averages_ = false;
};

AMPCHECK_MUTANT(MeanOfRunningMeans, "mean-of-running-means", "accumulation",
                "each micro-batch is averaged with the mean of those before it");

}  // namespace
}  // namespace ampcheck::properties
