#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleOfFirstOptimizer : subject::Textbook {
  void follow_schedule(Optimizer& o) override {
    const std::vector<double> own = o.schedule;
    o.schedule = optimizers_.begin()->second.schedule;
    Textbook::follow_schedule(o);
    o.schedule = own;
  }
};

AMPCHECK_MUTANT(ScheduleOfFirstOptimizer, "schedule-of-first-optimizer", "skipping",
                "all optimizers have the rates of the first");

}  // namespace
}  // namespace ampcheck::properties
