// Clips that must agree to the bit: of the same unscaled gradients, to the same limit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/training_window.hpp"
#include "subject/case.hpp"

namespace ampcheck::properties {

// Whatever the scale was, and whatever came between. What the cases of a clause have alike is found
// here, by the model, and not marked by its generator: a shrunk case then asks for no more than it
// may.
class AlikeClips {
 public:
  // The clip that is about to be played. Of gradients that are not known to the bit nothing is
  // asked, nor of those that have a square which some arithmetic of binary32 might lose, scaled or
  // not.
  void begin(const subject::ClipNorm&, std::size_t step, const reference::TrainingWindow&);
  // Another step.
  void end() { now_ = kNone; }

  struct First {
    std::size_t step;
    std::vector<std::uint64_t> bits;
  };
  // Patterns that were seen after this clip. Those of the first clip alike, where there was one.
  std::optional<First> seen(const std::string& observation, std::size_t rank,
                            const reference::NumberFormat&, std::vector<std::uint64_t> bits);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  using Key = std::pair<std::string, std::size_t>;
  struct Clip {
    subject::ClipNorm action;
    std::vector<std::pair<std::string, std::vector<reference::Number>>> gradients;
    std::map<Key, std::pair<const reference::NumberFormat*, First>> seen;
  };

  std::vector<Clip> clips_;  // each kind once
  std::size_t now_ = kNone, step_ = 0;
};

}  // namespace ampcheck::properties
