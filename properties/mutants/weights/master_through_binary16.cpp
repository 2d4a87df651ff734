#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct MasterThroughBinary16 : subject::Textbook {
  void copy_master(Variable& v) override {
    for (double& x : v.master.values) x = subject::narrow(x, reference::binary16);
    Textbook::copy_master(v);
  }
};

AMPCHECK_MUTANT(MasterThroughBinary16, "master-through-binary16", "weights",
                "masters of both formats pass through binary16");

}  // namespace
}  // namespace ampcheck::properties
