#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleResetByLoading : subject::Textbook {
  void load(const Saved& saved) override {
    Textbook::load(saved);
    for (auto& [name, o] : optimizers_) o.scheduled = 0;
  }
};

AMPCHECK_MUTANT(ScheduleResetByLoading, "schedule-reset-by-loading", "skipping",
                "loading begins the schedule anew");

}  // namespace
}  // namespace ampcheck::properties
