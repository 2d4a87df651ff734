#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscalesAfterTheStep : subject::Textbook {
  void refuse_second_unscale(const Optimizer& o) override {
    if (!o.stepped) Textbook::refuse_second_unscale(o);
  }
};

AMPCHECK_MUTANT(UnscalesAfterTheStep, "unscales-after-the-step", "skipping",
                "an unscale after the step goes unnoticed");

}  // namespace
}  // namespace ampcheck::properties
