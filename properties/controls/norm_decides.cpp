#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct NormDecides : subject::Textbook {
  // In binary32, or in binary64 where a gradient is.
  bool non_finite(const std::vector<Variable*>& variables) override {
    const Format* format = &reference::binary32;
    for (const Variable* v : variables)
      if (v->gradient.format->width == 64) format = v->gradient.format;
    double sum = 0;
    for (const Variable* v : variables)
      for (const double g : v->gradient.values)
        sum = subject::narrow(sum + subject::narrow(g * g, *format), *format);
    return is_bad(sum);
  }
};

AMPCHECK_CONTROL(
    NormDecides, "norm-decides",
    "an overflow of the sum of squares skips the step, as fairseq and DeepSpeed have it",
    (PolicyChanges{{"finite_test", word("norm")}}));

}  // namespace
}  // namespace ampcheck::properties
