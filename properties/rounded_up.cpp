#include "properties/rounded_up.hpp"

#include <algorithm>

#include "reference/weight_copy.hpp"

namespace ampcheck::properties {

using namespace reference;

std::vector<RoundedUp> count_rounded_up(const std::vector<Admissible>& masters,
                                        const std::vector<Admissible>& copies) {
  std::vector<RoundedUp> all;
  for (std::size_t i = 0; i < std::min(masters.size(), copies.size()); ++i) {
    if (!masters[i].is_single() || !copies[i].is_single()) continue;
    const NumberFormat &wide = masters[i].format(), &f = copies[i].format();
    const std::uint64_t master = masters[i].single(), copy = copies[i].single();
    if (!wide.is_finite(master) || !f.is_finite(copy)) continue;
    const Rational x = value_of(master, wide);
    if (is_representable(x, f) || x.abs() > value_of(f.max_finite(), f)) continue;
    auto found = std::ranges::find(all, master, &RoundedUp::master);
    if (found == all.end()) {
      all.push_back({master, chance_of_rounding_up(x, f), 0, 0, i});
      found = all.end() - 1;
    }
    ++found->roundings;
    if (value_of(copy, f) > x) ++found->ups;
  }
  return all;
}

}  // namespace ampcheck::properties
