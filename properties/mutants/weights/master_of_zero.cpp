#include <set>
#include <string>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MasterOfZero : subject::Textbook {
  void take_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->has_master() && begun_with_.insert(v->name).second)
        v->master.values.assign(v->value.values.size(), 0.0);
    Textbook::take_step(o);
  }
  std::set<std::string> begun_with_;
};

AMPCHECK_MUTANT(MasterOfZero, "master-of-zero", "weights",
                "masters begin at zero and not at the parameter");

}  // namespace
}  // namespace ampcheck::properties
