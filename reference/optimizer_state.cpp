#include "reference/optimizer_state.hpp"

#include <algorithm>
#include <utility>

namespace ampcheck::reference {

std::vector<Admissible> OptimizerState::slot(const std::string& name, const NumberFormat& f) const {
  std::vector<Admissible> result;
  if (!known) return result;
  if (name == "momentum_buffer")
    for (const std::optional<Admissible>& m : momentum) {
      if (!m) return {};
      result.push_back(m->converted(f));
    }
  if (name == "exp_avg" || name == "exp_avg_sq")
    for (const Moments& m : moments) {
      if (!m.known || m.step == 0) return {};
      result.push_back(name == "exp_avg" ? m.first_in(f) : m.second_in(f));
    }
  return result;
}

void OptimizerState::saw(const std::string& name, const NumberFormat& f,
                         std::vector<std::uint64_t> bits) {
  const std::vector<Admissible> expected = slot(name, f);
  const std::size_t elements = std::min(expected.size(), bits.size());
  for (std::size_t i = 0; i < elements; ++i) {
    if (!f.is_finite(bits[i]) || !expected[i].contains(bits[i])) continue;
    if (name == "momentum_buffer")
      momentum[i] = Admissible::of(f, bits[i]).converted(momentum[i]->format());
    if (name == "exp_avg") moments[i].first = value_of(bits[i], f);
    if (name == "exp_avg_sq") {
      moments[i].second = value_of(bits[i], f);
      moments[i].second_may_be_infinite = false;
    }
  }
  seen[name] = std::move(bits);
}

}  // namespace ampcheck::reference
