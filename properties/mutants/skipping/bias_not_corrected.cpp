#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct BiasNotCorrected : subject::Textbook {
  double bias_correction(double, double) override { return 1; }
};

AMPCHECK_MUTANT(BiasNotCorrected, "bias-not-corrected", "skipping",
                "Adam's moments enter as they are");

}  // namespace
}  // namespace ampcheck::properties
