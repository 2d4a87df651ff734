#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NoRamp : subject::Textbook {
  std::int64_t warm_up_micro_batches(const subject::Recipe& r, std::int64_t) override {
    return micro_batches(r.nominal_batch, r.batch);
  }
};

AMPCHECK_MUTANT(NoRamp, "no-ramp", "schedule", "windows are whole from the first micro-batch on");

}  // namespace
}  // namespace ampcheck::properties
