#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsNoStep : subject::Textbook {
  bool step(Optimizer& o) override {
    Textbook::step(o);
    return false;
  }
};

AMPCHECK_MUTANT(ReportsNoStep, "reports-no-step", "skipping",
                "a step that was taken is reported as skipped");

}  // namespace
}  // namespace ampcheck::properties
