#include "properties/controls/deepspeed_schedule.hpp"

namespace ampcheck::properties {
namespace {

struct DeepspeedScale : DeepspeedSchedule {
  DeepspeedScale() : DeepspeedSchedule(2, false, true) {}
};

AMPCHECK_CONTROL(DeepspeedScale, "deepspeed-scale",
                 "as deepspeed-fused; the first overflow after a growth only skips; raises at 1",
                 (PolicyChanges{{"growth_rule", word("n_plus_one_once")},
                                {"floor", number(1)},
                                {"hysteresis", word("2")},
                                {"at_floor", word("raise")}}));

}  // namespace
}  // namespace ampcheck::properties
