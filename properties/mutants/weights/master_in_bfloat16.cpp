#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct MasterInBfloat16 : subject::Textbook {
  void copy_master(Variable& v) override {
    for (double& x : v.master.values) x = subject::narrow(x, reference::bfloat16);
    Textbook::copy_master(v);
  }
};

AMPCHECK_MUTANT(MasterInBfloat16, "master-in-bfloat16", "weights", "masters are kept in bfloat16");

}  // namespace
}  // namespace ampcheck::properties
