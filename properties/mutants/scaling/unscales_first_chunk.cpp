#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscalesFirstChunk : subject::Textbook {
  void divide_gradients(Optimizer& o) override {
    for (Variable* v : with_gradient(o)) {
      if (v->unit == subject::Unit::unscaled) continue;
      std::vector<double>& g = v->gradient.values;
      for (std::size_t i = 0; i < std::min<std::size_t>(g.size(), 1024); ++i)
        g[i] = unscaled(g[i], *v->gradient.format);
      v->unit = subject::Unit::unscaled;
    }
  }
};

AMPCHECK_MUTANT(UnscalesFirstChunk, "unscales-first-chunk", "scaling",
                "only the first 1024 elements of a tensor are unscaled");

}  // namespace
}  // namespace ampcheck::properties
