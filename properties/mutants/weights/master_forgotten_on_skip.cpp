#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MasterForgottenOnSkip : subject::Textbook {
  void skip_step(Optimizer& o) override {
    for (const std::string& name : o.variables) {
      Variable& v = variable(name);
      if (v.has_master()) v.master.values = v.value.values;
    }
  }
};

AMPCHECK_MUTANT(MasterForgottenOnSkip, "master-forgotten-on-skip", "weights",
                "after a skip masters are read from the copies");

}  // namespace
}  // namespace ampcheck::properties
