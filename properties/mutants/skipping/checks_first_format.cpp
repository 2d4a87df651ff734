#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ChecksFirstFormat : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    std::vector<Variable*> alike;
    for (Variable* v : variables)
      if (*v->value.format == *variables.front()->value.format) alike.push_back(v);
    return Textbook::non_finite(alike);
  }
};

AMPCHECK_MUTANT(ChecksFirstFormat, "checks-first-format", "skipping",
                "looks at tensors of the first format only");

}  // namespace
}  // namespace ampcheck::properties
