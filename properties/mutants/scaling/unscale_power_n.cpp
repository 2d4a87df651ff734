#include <algorithm>

#include "properties/mutants/counts_micro_batches.hpp"

namespace ampcheck::properties {
namespace {

struct UnscalePowerN : CountsMicroBatches {
  double unscaled(double x, const Format& format) override {
    for (int i = 0; i < std::max(micro_batches_, 1); ++i) x = Textbook::unscaled(x, format);
    return x;
  }
};

AMPCHECK_MUTANT(UnscalePowerN, "unscale-power-n", "scaling",
                "divides the sum by the scale once per micro-batch");

}  // namespace
}  // namespace ampcheck::properties
