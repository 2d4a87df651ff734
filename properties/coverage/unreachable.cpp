#include "properties/coverage/unreachable.hpp"

#include "reference/number_format.hpp"

namespace ampcheck::properties {

using reference::NumberFormat;

namespace {

bool is_short(const NumberFormat& f) { return f.width < 32; }

bool is_of_a_larger_result(RoundingSituation situation) {
  return situation == RoundingSituation::into_overflow;
}

bool is_below_normal(RoundingSituation situation) {
  return situation == RoundingSituation::into_subnormal ||
         situation == RoundingSituation::into_zero;
}

bool is_half_way_or_carries(RoundingSituation situation) {
  return situation == RoundingSituation::tie_down || situation == RoundingSituation::tie_up ||
         situation == RoundingSituation::carry;
}

std::string_view why_not_scaled(const CoverageCell& cell, RoundingSituation situation) {
  const NumberFormat& f = *cell.format;
  const bool has_the_range_of_scales = f.max_exponent() >= reference::binary32.max_exponent();
  if (!has_the_range_of_scales) return "";
  if (cell.operand == OperandClass::subnormal && is_of_a_larger_result(situation))
    return "A scale is below 2^128, which takes no subnormal number of the format to its end.";
  if (cell.operand == OperandClass::largest && is_below_normal(situation))
    return "A scale is a normal number of binary32, which takes no number in the highest binade of "
           "the format to its subnormal ones.";
  return "";
}

std::string_view why_not_accumulated(const CoverageCell& cell, RoundingSituation situation) {
  if (is_below_normal(situation))
    return "A sum that comes out subnormal is exact (see reference/error_bounds.hpp).";
  if (cell.operand == OperandClass::subnormal && is_of_a_larger_result(situation))
    return "A subnormal term is less than half an ulp of the largest number.";
  return "";
}

// x = S·q with x and S of p bits. A q half way has p + 1 bits and is odd in the last of them, so
// that S·q had more than p. And with q < 2^k, x < S·2^k are numbers of p bits, so that x is smaller
// by more than one part in 2^(p+1), which q is, too.
std::string_view why_not_unscaled(const CoverageCell& cell, RoundingSituation situation) {
  if (is_half_way_or_carries(situation))
    return "A normal quotient of two numbers of p bits is never half way, and never rounded up to "
           "a "
           "power of two.";
  if (cell.operand == OperandClass::subnormal && is_of_a_larger_result(situation))
    return "A scale is a normal number of binary32, by which no subnormal number overflows.";
  if (cell.operand == OperandClass::largest && is_below_normal(situation))
    return "A scale is below 2^128, which leaves a number in the highest binade normal.";
  return "";
}

std::string_view why_not_clipped(const CoverageCell& cell, RoundingSituation situation) {
  if (is_of_a_larger_result(situation)) return "A clip makes nothing larger.";
  if (cell.operand == OperandClass::subnormal && situation != RoundingSituation::exact &&
      !is_below_normal(situation))
    return "A clip makes nothing larger, and subnormal results are looked at as such.";
  if (cell.operand == OperandClass::largest && situation != RoundingSituation::exact)
    return "The norm of numbers in the highest binade is judged, and no clip by it that rounds.";
  return "";
}

std::string_view why_not_stepped(const CoverageCell& cell, RoundingSituation situation) {
  if (*cell.format == reference::binary16 && cell.operand != OperandClass::normal)
    return "A gradient is unscaled to binary32, where all numbers of binary16 are normal.";
  if (cell.operand == OperandClass::subnormal && is_of_a_larger_result(situation))
    return "A learning rate is at most 1, and a subnormal update less than half an ulp of the "
           "largest number.";
  if (cell.operand == OperandClass::largest && is_below_normal(situation))
    return "A learning rate is at least 2^-64, which takes no number in the highest binade to the "
           "subnormal ones, and a difference that comes out subnormal is exact.";
  return "";
}

// Of an operation with an inf or NaN.
std::string_view why_not_finite(const CoverageCell& cell) {
  const bool is_of_eight_bits = cell.format->width == 8;
  if (cell.operation == RoundedOperation::clip)
    return "The norm of a gradient that is not finite is no number to clip by.";
  if (cell.operation == RoundedOperation::step) return "A step on what is not finite is skipped.";
  if (cell.operation == RoundedOperation::scale && is_of_eight_bits)
    return "What is delivered in eight bits is given as a normal number of a wider format.";
  return "";
}

}  // namespace

std::string_view why_unreachable(const CoverageCell& cell) {
  const bool is_of_eight_bits = cell.format->width == 8;
  if (cell.operation == RoundedOperation::scale && is_of_eight_bits &&
      cell.operand != OperandClass::normal)
    return "What is delivered in eight bits is given as a normal number of a wider format.";
  if (cell.operation == RoundedOperation::step && is_of_eight_bits)
    return "No parameter has a format of eight bits.";
  const bool is_of_the_accumulator =
      cell.operation != RoundedOperation::scale && cell.operation != RoundedOperation::step;
  if (is_of_the_accumulator && is_short(*cell.format))
    return "Gradients are accumulated, unscaled and clipped in binary32 or a wider format.";
  if (cell.operation == RoundedOperation::clip && *cell.format == reference::binary64)
    return "Norms of binary64 gradients are not judged.";
  if (!cell.situation) return why_not_finite(cell);
  if (cell.operand == OperandClass::zero)
    return *cell.situation == RoundingSituation::exact ? ""
                                                       : "With an operand of zero all is exact.";
  switch (cell.operation) {
    case RoundedOperation::scale:
      return why_not_scaled(cell, *cell.situation);
    case RoundedOperation::accumulate:
      return why_not_accumulated(cell, *cell.situation);
    case RoundedOperation::unscale:
      return why_not_unscaled(cell, *cell.situation);
    case RoundedOperation::clip:
      return why_not_clipped(cell, *cell.situation);
    case RoundedOperation::step:
      return why_not_stepped(cell, *cell.situation);
  }
  return "";
}

}  // namespace ampcheck::properties
