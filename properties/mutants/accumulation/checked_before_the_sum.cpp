#include <algorithm>
#include <set>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CheckedBeforeTheSum : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    for (const double x : terms)
      if (is_bad(x)) bad_.insert(v.name);
    Textbook::accumulate(v, terms);
  }
  bool non_finite(const std::vector<Variable*>& variables) override {
    return std::any_of(variables.begin(), variables.end(),
                       [&](const Variable* v) { return bad_.contains(v->name); });
  }
  void update() override {
    Textbook::update();
    bad_.clear();
  }
  std::set<std::string> bad_;
};

AMPCHECK_MUTANT(CheckedBeforeTheSum, "checked-before-the-sum", "accumulation",
                "micro-batches are checked, their sum is not");

}  // namespace
}  // namespace ampcheck::properties
