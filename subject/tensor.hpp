// Numbers as a case carries them: patterns of a format, never decimal.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/number_format.hpp"

namespace ampcheck::subject {

using reference::NumberFormat;

struct Scalar {
  const NumberFormat* format = nullptr;
  std::uint64_t bits = 0;

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

// Row-major. `bits` has one pattern an element: the product of `shape`, one for an empty shape.
struct Tensor {
  const NumberFormat* format = nullptr;
  std::vector<std::int64_t> shape;
  std::vector<std::uint64_t> bits;

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

}  // namespace ampcheck::subject
