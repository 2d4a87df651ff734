#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DecaysOnSkip : subject::Textbook {
  void skip_step(Optimizer& o) override {
    for (const std::string& name : o.variables)
      for (double& p : variable(name).value.values) p -= o.get("lr") * o.get("weight_decay") * p;
  }
};

AMPCHECK_MUTANT(DecaysOnSkip, "decays-on-skip", "skipping",
                "a skipped step still decays the weights");

}  // namespace
}  // namespace ampcheck::properties
