// Real evaluation orders of a sum, for the tests that ask how near a computed sum comes to the ends
// of its set.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/emulation_test.hpp"

namespace ampcheck::reference {

// Sequential, reversed, pairwise, in blocks of four, by magnitude from the smallest and from the
// largest on.
inline constexpr int kOrders = 6;

inline double sum_in_order(const Machine& m, std::vector<double> terms, int order) {
  const auto chain = [&](auto first, auto last) {
    double sum = 0;
    for (; first != last; ++first) sum = m.add(sum, *first);
    return sum;
  };
  const auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  if (order == 1) std::reverse(terms.begin(), terms.end());
  if (order >= 4) std::stable_sort(terms.begin(), terms.end(), smaller);
  if (order == 5) std::reverse(terms.begin(), terms.end());
  if (order == 2) {
    while (terms.size() > 1) {
      std::vector<double> next;
      for (std::size_t i = 0; i + 1 < terms.size(); i += 2)
        next.push_back(m.add(terms[i], terms[i + 1]));
      if (terms.size() % 2 != 0) next.push_back(terms.back());
      terms = next;
    }
    return terms.empty() ? 0 : terms[0];
  }
  if (order == 3) {
    std::vector<double> blocks(4, 0.0);
    for (std::size_t i = 0; i < terms.size(); ++i) blocks[i % 4] = m.add(blocks[i % 4], terms[i]);
    return chain(blocks.begin(), blocks.end());
  }
  return chain(terms.begin(), terms.end());
}

}  // namespace ampcheck::reference
