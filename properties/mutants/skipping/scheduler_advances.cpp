#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SchedulerAdvances : subject::Textbook {
  void skip_step(Optimizer& o) override { ++o.scheduled; }
};

AMPCHECK_MUTANT(SchedulerAdvances, "scheduler-advances", "skipping",
                "the learning-rate schedule counts skipped steps, undeclared");

}  // namespace
}  // namespace ampcheck::properties
