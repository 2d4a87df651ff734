// The schedule of DeepSpeed's scalers: iterations are counted, not clean steps.
#pragma once

#include <algorithm>

#include "properties/built_in.hpp"

namespace ampcheck::properties {

struct DeepspeedSchedule : subject::Textbook {
  DeepspeedSchedule(int hysteresis, bool consecutive, bool raises)
      : full_(hysteresis), left_(hysteresis), consecutive_(consecutive), raises_(raises) {}

  void update() override {
    if (!scaler_.enabled) return Textbook::update();
    if (overflow_)
      back_off();
    else
      count();
    ++iteration_;
    scaler_.enabled = false;  // the rest of an update only
    Textbook::update();
    scaler_.enabled = true;
  }
  void back_off() override {
    if (left_ > 1) {
      --left_;
    } else {
      if (scaler_.scale == 1 && raises_)
        throw subject::Raised("the loss scale is at its minimum already");
      scaler_.scale = static_cast<float>(std::max(scaler_.scale * scaler_.backoff_factor, 1.0));
    }
    last_overflow_ = iteration_;
  }
  virtual void count() {
    if (consecutive_) left_ = full_;
    const std::int64_t stable = iteration_ - last_overflow_ - 1;
    if (stable == 0 || stable % scaler_.growth_interval != 0) return;
    left_ = full_;
    grow();
  }

 protected:
  int full_, left_;
  bool consecutive_, raises_;
  std::int64_t iteration_ = 0, last_overflow_ = -1;
};

}  // namespace ampcheck::properties
