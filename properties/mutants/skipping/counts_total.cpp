#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CountsTotal : subject::Textbook {
  void update() override {
    const bool clean = scaler_.enabled && !overflow_;
    scaler_.clean_steps = -1;
    Textbook::update();
    if (clean && ++total_ >= scaler_.growth_interval) grow();
    scaler_.clean_steps = total_;
  }
  std::int64_t total_ = 0;
};

AMPCHECK_MUTANT(CountsTotal, "counts-total", "skipping",
                "grows once the clean steps in all are as many as the interval");

}  // namespace
}  // namespace ampcheck::properties
