#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FlagEqualsOne : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    int bad = 0;
    for (Variable* v : variables) bad += Textbook::non_finite({v}) ? 1 : 0;
    return bad == 1;
  }
};

AMPCHECK_MUTANT(FlagEqualsOne, "flag-equals-one", "skipping",
                "the tensors that overflowed are counted, and the number is compared with 1");

}  // namespace
}  // namespace ampcheck::properties
