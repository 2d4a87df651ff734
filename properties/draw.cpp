#include "properties/draw.hpp"

#include <rapidcheck/Random.h>

namespace ampcheck::properties {

struct Draw::Engine {
  rc::Random random;
};

Draw::Draw(std::uint64_t seed, std::string_view clause, std::uint64_t index)
    : engine_(new Engine{
          rc::Random(rc::Random::Key{{seed, stable_hash(clause), index, kGeneratorVersion}})}) {}

Draw::~Draw() = default;

std::uint64_t Draw::bits() { return engine_->random.next(); }

std::int64_t Draw::between(std::int64_t low, std::int64_t high) {
  // The modulo's bias is below 2^-40 for every range that is drawn from.
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  return span == 0 ? static_cast<std::int64_t>(bits())
                   : static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + bits() % span);
}

}  // namespace ampcheck::properties
