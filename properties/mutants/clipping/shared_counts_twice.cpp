#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SharedCountsTwice : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    std::vector<Variable*> named;
    for (Variable* v : variables)
      for (const auto& [name, o] : optimizers_)
        if (std::ranges::find(o.variables, v->name) != o.variables.end()) named.push_back(v);
    return Textbook::norm(named);
  }
};

AMPCHECK_MUTANT(SharedCountsTwice, "shared-counts-twice", "clipping",
                "a tensor of two optimizers counts once for each");

}  // namespace
}  // namespace ampcheck::properties
