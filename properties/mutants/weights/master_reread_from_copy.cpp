#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MasterRereadFromCopy : subject::Textbook {
  void take_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->has_master()) v->master.values = v->value.values;
    Textbook::take_step(o);
  }
};

AMPCHECK_MUTANT(MasterRereadFromCopy, "master-reread-from-copy", "weights",
                "every step starts from the copies");

}  // namespace
}  // namespace ampcheck::properties
