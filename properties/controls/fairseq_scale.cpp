#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct FairseqScale : subject::Textbook {
  void back_off() override {
    const double next = static_cast<float>(scaler_.scale * scaler_.backoff_factor);
    if (next <= 1e-4) throw subject::Raised("the smallest loss scale is reached");
    scaler_.scale = next;
  }
};

AMPCHECK_CONTROL(FairseqScale, "fairseq-scale", "raises in the place of a back-off to 1e-4 or less",
                 (PolicyChanges{{"floor", number(1e-4)}, {"at_floor", word("raise_on_reaching")}}));

}  // namespace
}  // namespace ampcheck::properties
