#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct WideStep : subject::Textbook {
  double moved(double p, double rate, double d, const Format& format) override {
    return subject::narrow(p - static_cast<float>(rate) * d, format);
  }
};

AMPCHECK_CONTROL(WideStep, "wide-step",
                 "the learning rate is rounded to binary32, the step is computed in binary64",
                 (PolicyChanges{{"step_arithmetic", word("either")}}));

}  // namespace
}  // namespace ampcheck::properties
