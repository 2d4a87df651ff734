#include <set>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormOfTwoOptimizers : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::set<std::string> names;
    int optimizers = 0;
    for (const auto& [unused, o] : optimizers_)
      if (++optimizers <= 2) names.insert(o.variables.begin(), o.variables.end());
    std::vector<Variable*> counted;
    for (Variable* v : variables)
      if (names.contains(v->name)) counted.push_back(v);
    return Textbook::norm(counted);
  }
};

AMPCHECK_MUTANT(NormOfTwoOptimizers, "norm-of-two-optimizers", "clipping",
                "the gradients of a third optimizer do not count");

}  // namespace
}  // namespace ampcheck::properties
