// For mutants that do something once per micro-batch: how many the window has had.
#pragma once

#include "properties/built_in.hpp"

namespace ampcheck::properties {

struct CountsMicroBatches : subject::Textbook {
  void backward(const subject::Backward& micro_batch) override {
    Textbook::backward(micro_batch);
    ++micro_batches_;
  }
  void update() override {
    Textbook::update();
    micro_batches_ = 0;
  }
  int micro_batches_ = 0;
};

}  // namespace ampcheck::properties
