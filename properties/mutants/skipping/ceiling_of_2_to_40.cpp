#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CeilingOf2To40 : subject::Textbook {
  void grow() override {
    if (scaler_.scale < 0x1p40) Textbook::grow();
  }
};

AMPCHECK_MUTANT(CeilingOf2To40, "ceiling-of-2-to-40", "skipping",
                "the scale grows to 2^40 and no further");

}  // namespace
}  // namespace ampcheck::properties
