#include <map>
#include <string>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct EverySecondCopy : subject::Textbook {
  void copy_master(Variable& v) override {
    if (++steps_[v.name] % 2 == 1) Textbook::copy_master(v);
  }
  std::map<std::string, int> steps_;
};

AMPCHECK_MUTANT(EverySecondCopy, "every-second-copy", "weights",
                "copies are refreshed at every second step");

}  // namespace
}  // namespace ampcheck::properties
