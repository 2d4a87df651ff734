#include <algorithm>

#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct AveragesUndeclared : CountsMicroBatches {
  double unscaled(double x, const Format& format) override {
    return Textbook::unscaled(x / std::max(micro_batches_, 1), format);
  }
};

AMPCHECK_MUTANT(AveragesUndeclared, "averages-undeclared", "accumulation",
                "the sum is divided by the number of micro-batches, which nobody asked for");

}  // namespace
}  // namespace ampcheck::properties
