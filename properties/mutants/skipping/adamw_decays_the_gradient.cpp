#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct AdamwDecaysTheGradient : subject::Textbook {
  void adam_decay(const Optimizer& o, double& p, double& g, const Format& wide) override {
    Optimizer coupled = o;
    coupled.kind = subject::OptimizerKind::adam;
    Textbook::adam_decay(coupled, p, g, wide);
  }
};

AMPCHECK_MUTANT(AdamwDecaysTheGradient, "adamw-decays-the-gradient", "skipping",
                "AdamW adds weight_decay·p to the gradient, as Adam does");

}  // namespace
}  // namespace ampcheck::properties
