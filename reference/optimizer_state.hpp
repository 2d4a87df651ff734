// What an optimizer keeps of a tensor beside its elements, as far as the rules know it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/adam_step.hpp"
#include "reference/admissible.hpp"

namespace ampcheck::reference {

struct OptimizerState {
  explicit OptimizerState(std::size_t elements = 0) : momentum(elements), moments(elements) {}

  // One an element; SGD has the first, Adam the second.
  std::vector<std::optional<Admissible>> momentum;
  std::vector<Moments> moments;
  // False after a step of which it is not known whether it was taken.
  bool known = true;
  // As it was seen since the last step, by slot.
  std::map<std::string, std::vector<std::uint64_t>> seen;

  // A slot in a format: momentum_buffer, exp_avg or exp_avg_sq, one set an element. Empty where it
  // is not known, before the first step, and for every other slot.
  std::vector<Admissible> slot(const std::string& name, const NumberFormat&) const;
  // What lies in its set is what the next step goes on from; what does not is not believed.
  void saw(const std::string& slot, const NumberFormat&, std::vector<std::uint64_t> bits);
};

}  // namespace ampcheck::reference
