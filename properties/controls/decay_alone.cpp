#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

// Decay as in the paper, with a schedule multiplier of 1.
struct DecayAlone : subject::Textbook {
  void adam_decay(const Optimizer& o, double& p, double& g, const Format& wide) override {
    if (o.kind == subject::OptimizerKind::adam) return Textbook::adam_decay(o, p, g, wide);
    p -= o.get("weight_decay") * p;
  }
};

AMPCHECK_CONTROL(DecayAlone, "decay-alone",
                 "AdamW's decay is not multiplied with the learning rate, as declared",
                 (PolicyChanges{{"adamw_decay", word("alone")}}));

}  // namespace
}  // namespace ampcheck::properties
