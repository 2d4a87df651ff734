#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MastersNotShown : subject::Textbook {
  bool shows_masters() override { return false; }
};

AMPCHECK_CONTROL(MastersNotShown, "masters-not-shown", "master weights that nobody can look at",
                 (PolicyChanges{}));

}  // namespace
}  // namespace ampcheck::properties
