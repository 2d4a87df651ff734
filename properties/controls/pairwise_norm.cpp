#include <cmath>
#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct PairwiseNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::vector<float> squares;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        squares.push_back(static_cast<float>(g) * static_cast<float>(g));
    for (std::size_t n = squares.size(); n > 1; n = (n + 1) / 2)
      for (std::size_t i = 0; i < n / 2; ++i)
        squares[i] = i + (n + 1) / 2 < n ? squares[i] + squares[i + (n + 1) / 2] : squares[i];
    const float root = squares.empty() ? 0 : std::sqrt(squares.front());
    return std::isfinite(root) ? root : Textbook::norm(variables);
  }
};

AMPCHECK_CONTROL(
    PairwiseNorm, "pairwise-norm",
    "squares are added in a tree, in binary32, and anew in binary64 where that overflows", {});

}  // namespace
}  // namespace ampcheck::properties
