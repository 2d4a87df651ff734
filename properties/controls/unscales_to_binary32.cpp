#include "properties/controls/gradients_as_parameters.hpp"

namespace ampcheck::properties {
namespace {

struct UnscalesToBinary32 : GradientsAsParameters {
  void divide_gradients(Optimizer& o) override {
    for (Variable* v : with_gradient(o))
      if (v->gradient.format->width < 32) v->gradient.format = &reference::binary32;
    Textbook::divide_gradients(o);
  }
};

AMPCHECK_CONTROL(UnscalesToBinary32, "unscales-to-binary32",
                 "sums in the parameter's format, and keeps what it unscales in binary32",
                 (PolicyChanges{{"accumulator", word("parameter")},
                                {"output_format", word("binary32")}}));

}  // namespace
}  // namespace ampcheck::properties
