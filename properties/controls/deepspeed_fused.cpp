#include "properties/controls/deepspeed_schedule.hpp"

namespace ampcheck::properties {
namespace {

struct DeepspeedFused : DeepspeedSchedule {
  DeepspeedFused() : DeepspeedSchedule(1, false, false) {}
};

AMPCHECK_CONTROL(DeepspeedFused, "deepspeed-fused",
                 "grows after N + 1 clean steps, then after N; stays at 1",
                 (PolicyChanges{{"growth_rule", word("n_plus_one_once")}, {"floor", number(1)}}));

}  // namespace
}  // namespace ampcheck::properties
