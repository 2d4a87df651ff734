#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FirstTensorCopied : subject::Textbook {
  void copy_master(Variable& v) override {
    for (const auto& [name, o] : optimizers_)
      if (o.variables.front() == v.name) Textbook::copy_master(v);
  }
};

AMPCHECK_MUTANT(FirstTensorCopied, "first-tensor-copied", "weights",
                "only the first parameter of an optimizer is refreshed");

}  // namespace
}  // namespace ampcheck::properties
