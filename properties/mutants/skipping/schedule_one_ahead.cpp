#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleOneAhead : subject::Textbook {
  void follow_schedule(Optimizer& o) override {
    ++o.scheduled;
    Textbook::follow_schedule(o);
    --o.scheduled;
  }
};

AMPCHECK_MUTANT(ScheduleOneAhead, "schedule-one-ahead", "skipping",
                "the schedule moves before the step and not after it");

}  // namespace
}  // namespace ampcheck::properties
