#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DampeningAverages : subject::Textbook {
  void take_step(Optimizer& o) override {
    Optimizer other = o;
    if (o.get("dampening") != 0) other.hyper["dampening"] = o.get("momentum");
    Textbook::take_step(other);
  }
};

AMPCHECK_MUTANT(DampeningAverages, "dampening-averages", "skipping",
                "any dampening makes of the momentum buffer a mean, (1 - mu)·g enters it");

}  // namespace
}  // namespace ampcheck::properties
