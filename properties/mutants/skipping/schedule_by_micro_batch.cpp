#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScheduleByMicroBatch : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    ++micro_batches_;
    Textbook::backward(micro_batch);
  }
  void follow_schedule(Optimizer& o) override {
    o.scheduled = micro_batches_ - 1;
    Textbook::follow_schedule(o);
  }
  std::size_t micro_batches_ = 0;
};

AMPCHECK_MUTANT(ScheduleByMicroBatch, "schedule-by-micro-batch", "skipping",
                "the schedule counts micro-batches");

}  // namespace
}  // namespace ampcheck::properties
