#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CopyTiesAway : subject::Textbook {
  double copied(double master, const Format& format) override {
    return Textbook::copied(master * (1 + 0x1p-30), format);
  }
};

AMPCHECK_MUTANT(CopyTiesAway, "copy-ties-away", "weights",
                "halfway cases are rounded away from zero");

}  // namespace
}  // namespace ampcheck::properties
