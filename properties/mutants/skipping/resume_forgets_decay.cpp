#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ResumeForgetsDecay : subject::Textbook {
  Saved save() override {
    Saved saved = Textbook::save();
    for (auto& [name, o] : saved.optimizers) o.hyper.erase("weight_decay");
    return saved;
  }
};

AMPCHECK_MUTANT(ResumeForgetsDecay, "resume-forgets-decay", "skipping",
                "weight decay is not saved");

}  // namespace
}  // namespace ampcheck::properties
