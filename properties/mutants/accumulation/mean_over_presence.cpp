#include <map>

#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct MeanOverPresence : CountsMicroBatches {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    present_[v.name] = v.has_gradient ? present_[v.name] + 1 : 1;
    Textbook::accumulate(v, terms);
  }
  void divide_gradients(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      for (double& x : v->gradient.values)
        if (micro_batches_ > 0) x *= micro_batches_ / present_[v->name];
    Textbook::divide_gradients(o);
  }
  std::map<std::string, double> present_;
};

AMPCHECK_MUTANT(MeanOverPresence, "mean-over-presence", "accumulation",
                "a mean over the micro-batches that reach the parameter, not over all");

}  // namespace
}  // namespace ampcheck::properties
