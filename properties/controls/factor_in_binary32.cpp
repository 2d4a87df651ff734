#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FactorsInBinary32 : subject::Textbook {
  void back_off() override {
    const auto kept = scaler_.backoff_factor;
    scaler_.backoff_factor = static_cast<float>(kept);
    Textbook::back_off();
    scaler_.backoff_factor = kept;
  }
  void grow() override {
    const auto kept = scaler_.growth_factor;
    scaler_.growth_factor = static_cast<float>(kept);
    Textbook::grow();
    scaler_.growth_factor = kept;
  }
};

AMPCHECK_CONTROL(FactorsInBinary32, "factor-in-binary32",
                 "growth and back-off factors are rounded to binary32 first",
                 (PolicyChanges{{"factor_format", word("binary32")}}));

}  // namespace
}  // namespace ampcheck::properties
