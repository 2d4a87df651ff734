#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct RefreshedInBfloat16 : subject::Textbook {
  double unscaled(double x, const Format& format) override {
    if (updates_ == 0) return Textbook::unscaled(x, format);
    const double scale = subject::narrow(scaler_.scale, reference::bfloat16);
    return subject::narrow(x / scale, format);
  }
  void update() override {
    Textbook::update();
    ++updates_;
  }
  int updates_ = 0;
};

AMPCHECK_MUTANT(RefreshedInBfloat16, "refreshed-in-bfloat16", "scaling",
                "from the second window on, the scale that unscales is one of bfloat16");

}  // namespace
}  // namespace ampcheck::properties
