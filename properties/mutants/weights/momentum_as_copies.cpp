#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MomentumAsCopies : subject::Textbook {
  void copy_master(Variable& v) override {
    Textbook::copy_master(v);
    for (auto& [slot, array] : v.state)
      for (double& x : array.values) x = copied(x, *v.value.format);
  }
};

AMPCHECK_MUTANT(MomentumAsCopies, "momentum-as-copies", "weights",
                "the momentum of masters is kept in the format of the copies");

}  // namespace
}  // namespace ampcheck::properties
