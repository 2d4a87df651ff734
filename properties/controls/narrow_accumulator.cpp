#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NarrowAccumulator : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    v.gradient.format = v.value.format;
    Textbook::accumulate(v, terms);
  }
};

AMPCHECK_CONTROL(NarrowAccumulator, "narrow-accumulator",
                 "gradients are kept and summed in the parameter's format",
                 (PolicyChanges{{"accumulator", word("parameter")}}));

}  // namespace
}  // namespace ampcheck::properties
