#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct FactorInBinary32 : subject::Textbook {
  void grow() override {
    scaler_.growth_factor = subject::narrow(scaler_.growth_factor, reference::binary32);
    Textbook::grow();
  }
};

AMPCHECK_MUTANT(FactorInBinary32, "factor-in-binary32", "skipping",
                "the growth factor is rounded to binary32 first");

}  // namespace
}  // namespace ampcheck::properties
