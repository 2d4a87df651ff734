#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TakesALimitOfNan : subject::Textbook {
  void refuse_limit(double limit) override {
    if (limit < 0) Textbook::refuse_limit(limit);
  }
};

AMPCHECK_MUTANT(TakesALimitOfNan, "takes-a-limit-of-nan", "clipping",
                "refuses limits below 0, but not NaN");

}  // namespace
}  // namespace ampcheck::properties
