#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct ShortOverflowSkips : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        if (is_bad(subject::narrow(g, *v->value.format))) return true;
    return false;
  }
};

AMPCHECK_MUTANT(
    ShortOverflowSkips, "short-overflow-skips", "skipping",
    "skips on sums that are too large for the parameter, though not for the accumulator");

}  // namespace
}  // namespace ampcheck::properties
