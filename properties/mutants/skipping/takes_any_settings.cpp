#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct TakesAnySettings : subject::Textbook {
  void refuse_settings(const subject::MakeScaler&) override {}
};

AMPCHECK_MUTANT(TakesAnySettings, "takes-any-settings", "skipping",
                "makes a scaler of whatever it is given");

}  // namespace
}  // namespace ampcheck::properties
