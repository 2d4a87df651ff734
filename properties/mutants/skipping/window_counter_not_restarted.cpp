#include "properties/controls/deepspeed_schedule.hpp"

namespace ampcheck::properties {
namespace {

struct WindowCounterNotRestarted : DeepspeedSchedule {
  WindowCounterNotRestarted() : DeepspeedSchedule(1, false, false) {}
  void back_off() override {
    DeepspeedSchedule::back_off();
    last_overflow_ = -1;
  }
};

AMPCHECK_MUTANT(WindowCounterNotRestarted, "window-counter-not-restarted", "skipping",
                "growth comes every N iterations, whenever the last overflow was",
                (PolicyChanges{{"growth_rule", word("n_plus_one_once")}, {"floor", number(1)}}));

}  // namespace
}  // namespace ampcheck::properties
