#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ResumeEnables : subject::Textbook {
  void load(const Saved& saved) override {
    Textbook::load(saved);
    if (!scaler_.enabled) scaler_.enabled = true, scaler_.scale = 65536;
  }
};

AMPCHECK_MUTANT(ResumeEnables, "resume-enables", "scaling",
                "a disabled scaler is enabled after a load");

}  // namespace
}  // namespace ampcheck::properties
