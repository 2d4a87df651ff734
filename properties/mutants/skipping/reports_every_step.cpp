#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ReportsEveryStep : subject::Textbook {
  bool step(Optimizer& o) override {
    Textbook::step(o);
    return true;
  }
};

AMPCHECK_MUTANT(ReportsEveryStep, "reports-every-step", "skipping",
                "a skipped step is reported as taken");

}  // namespace
}  // namespace ampcheck::properties
