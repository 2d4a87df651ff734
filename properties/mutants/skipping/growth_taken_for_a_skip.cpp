#include <string>
#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct GrowthTakenForASkip : subject::Textbook {
  void update() override {
    const double before = scaler_.scale;
    Textbook::update();
    for (const std::string& name : counted_)
      if (scaler_.scale != before) --optimizers_.at(name).scheduled;
    counted_.clear();
  }
  void follow_schedule(Optimizer& o) override {
    Textbook::follow_schedule(o);
    counted_.push_back(o.name);
  }
  std::vector<std::string> counted_;
};

AMPCHECK_MUTANT(GrowthTakenForASkip, "growth-taken-for-a-skip", "skipping",
                "a window that changes the scale in any way counts as skipped for the schedule");

}  // namespace
}  // namespace ampcheck::properties
