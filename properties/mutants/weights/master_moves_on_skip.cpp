#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MasterMovesOnSkip : subject::Textbook {
  void skip_step(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      for (std::size_t i = 0; v->has_master() && i < v->gradient.values.size(); ++i)
        if (!is_bad(v->gradient.values[i]))
          v->master.values[i] -= o.get("lr") * v->gradient.values[i];
  }
};

AMPCHECK_MUTANT(MasterMovesOnSkip, "master-moves-on-skip", "weights",
                "what is finite of a bad window still moves its masters");

}  // namespace
}  // namespace ampcheck::properties
