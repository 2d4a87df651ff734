#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DecayWithoutRate : subject::Textbook {
  void adam_decay(const Optimizer& o, double& p, double& g, const Format& wide) override {
    if (o.kind == subject::OptimizerKind::adam) return Textbook::adam_decay(o, p, g, wide);
    p -= o.get("weight_decay") * p;
  }
};

AMPCHECK_MUTANT(DecayWithoutRate, "decay-without-rate", "skipping",
                "AdamW's decay is not multiplied with the learning rate");

}  // namespace
}  // namespace ampcheck::properties
