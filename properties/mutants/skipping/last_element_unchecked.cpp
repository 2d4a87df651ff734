#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LastElementUnchecked : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    for (const Variable* v : variables) {
      const std::vector<double>& g = v->gradient.values;
      const std::size_t looked_at = g.size() > 1 ? g.size() - 1 : g.size();
      for (std::size_t i = 0; i < looked_at; ++i)
        if (is_bad(g[i])) return true;
    }
    return false;
  }
};

AMPCHECK_MUTANT(LastElementUnchecked, "last-element-unchecked", "skipping",
                "does not look at the last element of a longer tensor");

}  // namespace
}  // namespace ampcheck::properties
