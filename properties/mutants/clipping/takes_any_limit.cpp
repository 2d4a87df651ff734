#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TakesAnyLimit : subject::Textbook {
  void refuse_limit(double) override {}
};

AMPCHECK_MUTANT(TakesAnyLimit, "takes-any-limit", "clipping",
                "clips to a limit below 0, which turns the gradients round");

}  // namespace
}  // namespace ampcheck::properties
