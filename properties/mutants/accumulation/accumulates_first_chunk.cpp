#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct AccumulatesFirstChunk : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    for (std::size_t i = 1024; i < v.gradient.values.size(); ++i) v.gradient.values[i] = 0;
    Textbook::accumulate(v, terms);
  }
};

AMPCHECK_MUTANT(AccumulatesFirstChunk, "accumulates-first-chunk", "accumulation",
                "beyond the first 1024 elements a micro-batch overwrites the last");

}  // namespace
}  // namespace ampcheck::properties
