#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SquaredNormCompared : subject::Textbook {
  double clip_factor(double norm, double limit) override {
    return Textbook::clip_factor(norm * norm, limit);
  }
};

AMPCHECK_MUTANT(SquaredNormCompared, "squared-norm-compared", "clipping",
                "the factor is max/norm²");

}  // namespace
}  // namespace ampcheck::properties
