// Lists that hold every value once, in the order in which they came.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace ampcheck::reference {

template <typename T>
void add_missing(std::vector<T>& list, T value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

}  // namespace ampcheck::reference
