#include <algorithm>
#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NormFirstChunkOnly : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    double sum = 0;
    for (const Variable* v : variables)
      for (std::size_t i = 0; i < std::min<std::size_t>(v->gradient.values.size(), 1024); ++i)
        sum += v->gradient.values[i] * v->gradient.values[i];
    return subject::narrow(std::sqrt(sum), reference::binary32);
  }
};

AMPCHECK_MUTANT(NormFirstChunkOnly, "norm-first-chunk-only", "clipping",
                "the norm leaves out what lies beyond the first 1024 elements of a tensor");

}  // namespace
}  // namespace ampcheck::properties
