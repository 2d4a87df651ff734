#include <optional>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LoadRestoresInitial : subject::Textbook {
  double seed(const Format& loss_format) override {
    if (!initial_) initial_ = scaler_.scale;
    return Textbook::seed(loss_format);
  }
  void load(const Saved& saved) override {
    Textbook::load(saved);
    if (initial_) scaler_.scale = *initial_;
  }
  std::optional<double> initial_;
};

AMPCHECK_MUTANT(LoadRestoresInitial, "load-restores-initial", "skipping",
                "loading brings the initial scale back");

}  // namespace
}  // namespace ampcheck::properties
