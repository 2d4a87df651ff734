#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormLastTensorOnly : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    return variables.empty() ? 0 : Textbook::norm({variables.back()});
  }
};

AMPCHECK_MUTANT(NormLastTensorOnly, "norm-last-tensor-only", "clipping",
                "the norm is that of the last tensor");

}  // namespace
}  // namespace ampcheck::properties
