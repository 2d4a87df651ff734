#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleAdvances : subject::Textbook {
  void skip_step(Optimizer& o) override { ++o.scheduled; }
};

AMPCHECK_CONTROL(ScheduleAdvances, "schedule-advances",
                 "the learning-rate schedule counts skipped steps",
                 (PolicyChanges{{"schedule_on_skip", word("advances")}}));

}  // namespace
}  // namespace ampcheck::properties
