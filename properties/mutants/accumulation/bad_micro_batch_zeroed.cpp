#include <cmath>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct BadMicroBatchZeroed : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    std::vector<double> finite = terms;
    for (double& x : finite) x = std::isfinite(x) ? x : 0;
    Textbook::accumulate(v, finite);
  }
};

AMPCHECK_MUTANT(BadMicroBatchZeroed, "bad-micro-batch-zeroed", "accumulation",
                "inf and NaN in a micro-batch are replaced by 0");

}  // namespace
}  // namespace ampcheck::properties
