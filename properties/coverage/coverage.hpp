// How often the operations of a rule met each situation: operation × format × operand × rounding.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/coverage/rounding_situation.hpp"
#include "reference/number_format.hpp"

namespace ampcheck::properties {

// What is rounded, and which of its operands is looked at.
enum class RoundedOperation {
  scale,       // s·c of a micro-batch, to the format in which it is delivered; c
  accumulate,  // a gradient and the next micro-batch's, to the accumulator's format; the latter
  unscale,     // x/S, to the format of the unscaled gradient; x
  clip,        // g·M/N of a gradient that is clipped to the norm M, in its own format; g
  step,        // p - lr·g of SGD without momentum or decay, in the parameter's format; g
};
inline constexpr std::size_t kRoundedOperations = 5;

enum class OperandClass { zero, subnormal, normal, largest, infinity, nan };
inline constexpr std::size_t kOperandClasses = 6;

std::string_view name_of(RoundedOperation);
std::string_view name_of(OperandClass);
// `largest`: in the binade of the largest finite number.
OperandClass operand_class(std::uint64_t bits, const reference::NumberFormat&);

struct CoverageCell {
  RoundedOperation operation;
  const reference::NumberFormat* format;  // of the result
  OperandClass operand;
  // None where the operand is inf or NaN.
  std::optional<RoundingSituation> situation;
};

// Every cell of the formats in which the operation is looked at, for an operand of each class.
std::vector<CoverageCell> all_cells();

class Coverage {
 public:
  void count(const CoverageCell&);
  std::int64_t times(const CoverageCell&) const;
  void add(const Coverage& other);

 private:
  std::vector<std::int64_t> times_;  // empty until something is counted
};

}  // namespace ampcheck::properties
