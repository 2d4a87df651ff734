// Any order of a list.
#pragma once

#include <utility>
#include <vector>

#include "properties/draw.hpp"

namespace ampcheck::properties {

template <typename T>
void shuffle(Draw& draw, std::vector<T>& list) {
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1],
              list[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(i) - 1))]);
}

}  // namespace ampcheck::properties
