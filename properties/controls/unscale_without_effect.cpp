#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscaleWithoutEffect : subject::Textbook {
  void refuse_second_unscale(const Optimizer& o) override {
    if (o.stepped) Textbook::refuse_second_unscale(o);
  }
};

AMPCHECK_CONTROL(UnscaleWithoutEffect, "unscale-without-effect",
                 "a second unscale in a window does nothing", {});

}  // namespace
}  // namespace ampcheck::properties
