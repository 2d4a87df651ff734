#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct AddsZeroOnSkip : subject::Textbook {
  void skip_step(Optimizer& o) override {
    for (const std::string& name : o.variables)
      for (double& p : variable(name).value.values) p += 0.0;
  }
};

AMPCHECK_CONTROL(AddsZeroOnSkip, "adds-zero-on-skip",
                 "a skipped step adds an update of zero, which turns -0 into +0", {});

}  // namespace
}  // namespace ampcheck::properties
