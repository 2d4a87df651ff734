#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DampeningIsTheShare : subject::Textbook {
  void take_step(Optimizer& o) override {
    Optimizer other = o;
    if (o.get("dampening") != 0) other.hyper["dampening"] = 1 - o.get("dampening");
    Textbook::take_step(other);
  }
};

AMPCHECK_MUTANT(DampeningIsTheShare, "dampening-is-the-share", "skipping",
                "of the gradient tau enters the momentum buffer, not 1 - tau");

}  // namespace
}  // namespace ampcheck::properties
