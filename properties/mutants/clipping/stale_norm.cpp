#include <optional>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StaleNorm : subject::Textbook {
  double norm(const std::vector<Variable*>& variables) override {
    if (!kept_) kept_ = Textbook::norm(variables);
    return *kept_;
  }
  void take_step(Optimizer& o) override {
    Textbook::take_step(o);
    kept_.reset();
  }
  std::optional<double> kept_;
};

AMPCHECK_MUTANT(StaleNorm, "stale-norm", "clipping", "the norm of a skipped window is used again");

}  // namespace
}  // namespace ampcheck::properties
