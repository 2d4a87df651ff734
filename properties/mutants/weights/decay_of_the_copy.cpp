#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DecayOfTheCopy : subject::Textbook {
  void take_step(Optimizer& o) override {
    const double decay = o.get("weight_decay");
    for (Variable* v : with_gradient(o))
      for (std::size_t i = 0; v->has_master() && i < v->gradient.values.size(); ++i)
        v->gradient.values[i] += decay * (v->value.values[i] - v->master.values[i]);
    Textbook::take_step(o);
  }
};

AMPCHECK_MUTANT(DecayOfTheCopy, "decay-of-the-copy", "weights",
                "weight decay reads the copy and not the master");

}  // namespace
}  // namespace ampcheck::properties
