#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ClipsEverything : subject::Textbook {
  void clip_norm(const std::vector<Variable*>&, double limit) override {
    std::vector<Variable*> all;
    for (auto& [name, v] : variables_)
      if (v.has_gradient) all.push_back(&v);
    Textbook::clip_norm(all, limit);
  }
};

AMPCHECK_MUTANT(ClipsEverything, "clips-everything", "clipping",
                "a clip takes in optimizers that it was not given");

}  // namespace
}  // namespace ampcheck::properties
