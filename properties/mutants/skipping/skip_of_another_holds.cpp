#include <string>
#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SkipOfAnotherHolds : subject::Textbook {
  void update() override {
    for (const std::string& name : counted_)
      if (overflow_) --optimizers_.at(name).scheduled;
    counted_.clear();
    Textbook::update();
  }
  void follow_schedule(Optimizer& o) override {
    Textbook::follow_schedule(o);
    counted_.push_back(o.name);
  }
  std::vector<std::string> counted_;
};

AMPCHECK_MUTANT(SkipOfAnotherHolds, "skip-of-another-holds", "skipping",
                "the skip of one optimizer holds the schedules of all");

}  // namespace
}  // namespace ampcheck::properties
