#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SeedInHalf : subject::Textbook {
  double seed(const Format&) override { return Textbook::seed(reference::binary16); }
};

AMPCHECK_MUTANT(SeedInHalf, "seed-in-half", "scaling", "the scaled loss is made in binary16");

}  // namespace
}  // namespace ampcheck::properties
