#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NoMaster : subject::Textbook {
  bool shows_masters() override { return false; }
  void take_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->has_master()) v->master.values = v->value.values;
    Textbook::take_step(o);
  }
};

AMPCHECK_MUTANT(NoMaster, "no-master", "weights",
                "there is no master: the short parameter is stepped on itself");

}  // namespace
}  // namespace ampcheck::properties
