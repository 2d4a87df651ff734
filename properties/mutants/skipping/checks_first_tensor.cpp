#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ChecksFirstTensor : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    return !variables.empty() && Textbook::non_finite({variables.front()});
  }
};

AMPCHECK_MUTANT(ChecksFirstTensor, "checks-first-tensor", "skipping",
                "only the first tensor is looked at");

}  // namespace
}  // namespace ampcheck::properties
