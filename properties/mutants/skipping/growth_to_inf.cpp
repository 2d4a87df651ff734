#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GrowthToInf : subject::Textbook {
  void grow() override {
    scaler_.scale = static_cast<float>(scaler_.scale * scaler_.growth_factor);
  }
};

AMPCHECK_MUTANT(GrowthToInf, "growth-to-inf", "skipping",
                "the scale doubles to inf and stays there");

}  // namespace
}  // namespace ampcheck::properties
