#include "properties/controls/deepspeed_schedule.hpp"

namespace ampcheck::properties {
namespace {

struct DeepspeedConsecutive : DeepspeedSchedule {
  DeepspeedConsecutive() : DeepspeedSchedule(2, true, true) {}
};

AMPCHECK_CONTROL(DeepspeedConsecutive, "deepspeed-consecutive",
                 "as deepspeed-scale, but the first overflow after a clean step only skips",
                 (PolicyChanges{{"growth_rule", word("n_plus_one_once")},
                                {"floor", number(1)},
                                {"hysteresis", word("2")},
                                {"hysteresis_refill", word("clean_step")},
                                {"at_floor", word("raise")}}));

}  // namespace
}  // namespace ampcheck::properties
