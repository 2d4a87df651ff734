#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct DoubleBackOff : subject::Textbook {
  void skip_step(Optimizer&) override {
    if (overflows_++ > 0) back_off();
  }
  void update() override {
    overflows_ = 0;
    Textbook::update();
  }
  int overflows_ = 0;
};

AMPCHECK_MUTANT(DoubleBackOff, "double-back-off", "skipping",
                "two optimizers that overflow back off twice");

}  // namespace
}  // namespace ampcheck::properties
