#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct HypotNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    float n = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values) n = std::hypot(n, static_cast<float>(g));
    return std::isinf(n) ? Textbook::norm(variables) : n;
  }
};

AMPCHECK_CONTROL(HypotNorm, "hypot-norm",
                 "a chain of hypots in binary32, and binary64 where the norm itself overflows",
                 (PolicyChanges{{"norm_algorithm", word("rescaled")}}));

}  // namespace
}  // namespace ampcheck::properties
