#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NormFirstFormatOnly : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::vector<Variable*> alike;
    for (Variable* v : variables)
      if (*v->value.format == *variables.front()->value.format) alike.push_back(v);
    return Textbook::norm(alike);
  }
};

AMPCHECK_MUTANT(NormFirstFormatOnly, "norm-first-format-only", "clipping",
                "the norm leaves out tensors of other formats than the first");

}  // namespace
}  // namespace ampcheck::properties
