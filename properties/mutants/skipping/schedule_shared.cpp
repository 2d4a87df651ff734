#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleShared : subject::Textbook {
  void follow_schedule(Optimizer& o) override {
    o.scheduled = steps_++;
    Textbook::follow_schedule(o);
  }
  std::size_t steps_ = 0;
};

AMPCHECK_MUTANT(ScheduleShared, "schedule-shared", "skipping",
                "all optimizers count in one schedule");

}  // namespace
}  // namespace ampcheck::properties
