#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct AveragesUndeclared : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    ++micro_batches_;
  }
  double unscaled(double x, const Format& format) override {
    return Textbook::unscaled(x / std::max(micro_batches_, 1), format);
  }
  void update() override {
    Textbook::update();
    micro_batches_ = 0;
  }
  int micro_batches_ = 0;
};

AMPCHECK_MUTANT(AveragesUndeclared, "averages-undeclared", "accumulation",
                "the sum is divided by the number of micro-batches, which nobody asked for");

}  // namespace
}  // namespace ampcheck::properties
