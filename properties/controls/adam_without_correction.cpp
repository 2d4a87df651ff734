#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

// LAMB and the optimizer of BERT.
struct AdamWithoutCorrection : subject::Textbook {
  double bias_correction(double, double) override { return 1; }
};

AMPCHECK_CONTROL(AdamWithoutCorrection, "adam-without-correction",
                 "Adam's moments enter as they are, as declared",
                 (PolicyChanges{{"adam_bias", word("kept")}}));

}  // namespace
}  // namespace ampcheck::properties
