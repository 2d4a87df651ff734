#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct CopyRefreshedOnSkip : RoundsByChance {
  void skip_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->has_master()) copy_master(*v);
  }
};

AMPCHECK_MUTANT(CopyRefreshedOnSkip, "copy-refreshed-on-skip", "weights",
                "a skipped step rounds the copies anew", {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
