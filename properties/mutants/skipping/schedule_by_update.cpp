#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleByUpdate : subject::Textbook {
  void update() override {
    ++updates_;
    Textbook::update();
  }
  void follow_schedule(Optimizer& o) override {
    o.scheduled = updates_;
    Textbook::follow_schedule(o);
  }
  std::size_t updates_ = 0;
};

AMPCHECK_MUTANT(ScheduleByUpdate, "schedule-by-update", "skipping",
                "the schedule counts updates of the scale");

}  // namespace
}  // namespace ampcheck::properties
