#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct UnscalePowerN : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    ++micro_batches_;
  }
  double unscaled(double x, const Format& format) override {
    for (int i = 0; i < std::max(micro_batches_, 1); ++i) x = Textbook::unscaled(x, format);
    return x;
  }
  void update() override {
    Textbook::update();
    micro_batches_ = 0;
  }
  int micro_batches_ = 0;
};

AMPCHECK_MUTANT(UnscalePowerN, "unscale-power-n", "scaling",
                "divides the sum by the scale once per micro-batch");

}  // namespace
}  // namespace ampcheck::properties
