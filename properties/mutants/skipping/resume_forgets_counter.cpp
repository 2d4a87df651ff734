#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ResumeForgetsCounter : subject::Textbook {
  Saved save() override {
    Saved saved = Textbook::save();
    saved.scaler.clean_steps = 0;
    return saved;
  }
};

AMPCHECK_MUTANT(ResumeForgetsCounter, "resume-forgets-counter", "skipping",
                "the count of clean steps is not saved");

}  // namespace
}  // namespace ampcheck::properties
