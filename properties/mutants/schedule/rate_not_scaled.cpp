#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RateNotScaled : subject::Textbook {
  double scaled_rate(const subject::Recipe& r) override {
    subject::Recipe same = r;
    same.batch = r.base_batch;
    return Textbook::scaled_rate(same);
  }
};

AMPCHECK_MUTANT(RateNotScaled, "rate-not-scaled", "schedule",
                "the learning rate is the same for every batch");

}  // namespace
}  // namespace ampcheck::properties
