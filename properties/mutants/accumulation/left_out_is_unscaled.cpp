#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LeftOutIsUnscaled : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    for (auto& [name, v] : variables_)
      if (std::ranges::none_of(micro_batch.coefficients,
                               [&](const auto& c) { return c.parameter == name; }))
        for (double& x : v.gradient.values) x = unscaled(x, *v.gradient.format);
  }
};

AMPCHECK_MUTANT(LeftOutIsUnscaled, "left-out-is-unscaled", "accumulation",
                "a parameter that a micro-batch leaves out is unscaled, and later ones are added");

}  // namespace
}  // namespace ampcheck::properties
