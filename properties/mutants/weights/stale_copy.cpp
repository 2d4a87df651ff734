#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct StaleCopy : subject::Textbook {
  void copy_master(Variable&) override {}
  void take_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->has_master()) Textbook::copy_master(*v);
    Textbook::take_step(o);
  }
};

AMPCHECK_MUTANT(StaleCopy, "stale-copy", "weights",
                "the copy is that of the master before the step");

}  // namespace
}  // namespace ampcheck::properties
