#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ResumeForgetsHysteresis : subject::Textbook {
  void back_off() override {
    if (--hysteresis_ <= 0) Textbook::back_off();
  }
  void grow() override {
    hysteresis_ = 2;
    Textbook::grow();
  }
  void load(const Saved& saved) override {
    hysteresis_ = 2;
    Textbook::load(saved);
  }
  int hysteresis_ = 2;
};

AMPCHECK_MUTANT(ResumeForgetsHysteresis, "resume-forgets-hysteresis", "skipping",
                "how much of the hysteresis is left is not saved",
                (PolicyChanges{{"hysteresis", word("2")}}));

}  // namespace
}  // namespace ampcheck::properties
