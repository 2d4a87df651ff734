// Random choices of a generator: RapidCheck's Random, keyed by what a case is, so that case i of a
// clause is the same whatever ran before it, beside it, or on which shard.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace ampcheck::properties {

// Grows whenever a generator or this class changes what it makes of a seed.
inline constexpr std::uint64_t kGeneratorVersion = 10;

class Draw {
 public:
  Draw(std::uint64_t seed, std::string_view clause, std::uint64_t index);
  ~Draw();
  Draw(const Draw&) = delete;
  Draw& operator=(const Draw&) = delete;

  std::uint64_t bits();
  // Uniform over low … high, both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  bool chance(int one_in) { return between(1, one_in) == 1; }
  bool coin() { return chance(2); }
  template <typename T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[between(0, static_cast<std::int64_t>(from.size()) - 1)];
  }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(from.size()) - 1))];
  }

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

// FNV-1a of a name: stable across machines, unlike std::hash.
constexpr std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace ampcheck::properties
