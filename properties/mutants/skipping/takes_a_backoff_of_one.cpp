#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TakesABackoffOfOne : subject::Textbook {
  void refuse_settings(const subject::MakeScaler& a) override {
    subject::MakeScaler checked = a;
    if (checked.backoff_factor.bits == 0x3ff0000000000000) checked.backoff_factor.bits -= 1;
    Textbook::refuse_settings(checked);
  }
};

AMPCHECK_MUTANT(TakesABackoffOfOne, "takes-a-backoff-of-one", "skipping",
                "makes a scaler that never backs off");

}  // namespace
}  // namespace ampcheck::properties
