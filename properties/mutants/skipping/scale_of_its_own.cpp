#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ScaleOfItsOwn : subject::Textbook {
  void update() override {
    const bool overflowed = overflow_;
    others_ = scaler_.scale;
    Textbook::update();
    first_ = scaler_.scale;
    if (!overflowed) others_ = first_;
  }
  void turn_to(std::size_t rank) override {
    if (first_ != 0) scaler_.scale = rank == 0 ? first_ : others_;
  }
  double first_ = 0, others_ = 0;
};

AMPCHECK_MUTANT(ScaleOfItsOwn, "scale-of-its-own", "skipping",
                "after an overflow the scale of the first rank backs off, those of others do not");

}  // namespace
}  // namespace ampcheck::properties
