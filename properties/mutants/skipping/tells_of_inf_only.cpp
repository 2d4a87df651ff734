#include <cmath>
#include <utility>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TellsOfInfOnly : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) nan_[v->name] = nan_[v->name] || std::isnan(g);
    return Textbook::non_finite(variables);
  }
  std::optional<bool> shown_found_non_finite(const Optimizer& o) override {
    return o.found_non_finite && !std::exchange(nan_[o.variables.front()], false);
  }
  std::map<std::string, bool> nan_;
};

AMPCHECK_MUTANT(TellsOfInfOnly, "tells-of-inf-only", "skipping",
                "a NaN skips the step and is not said to have been found");

}  // namespace
}  // namespace ampcheck::properties
