#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleWraps : subject::Textbook {
  void follow_schedule(Optimizer& o) override {
    const std::size_t steps = o.scheduled;
    o.scheduled = steps % o.schedule.size();
    Textbook::follow_schedule(o);
    o.scheduled = steps + 1;
  }
};

AMPCHECK_MUTANT(ScheduleWraps, "schedule-wraps", "skipping",
                "after its last rate a schedule begins anew");

}  // namespace
}  // namespace ampcheck::properties
