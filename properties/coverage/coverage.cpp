#include "properties/coverage/coverage.hpp"

#include <stdexcept>

namespace ampcheck::properties {

using reference::NumberFormat;

namespace {

// The formats of the protocol. Gradients are accumulated in the wide ones, and the formats of eight
// bits are only delivered in.
constexpr const NumberFormat* kFormatsOfCases[] = {
    &reference::binary16, &reference::bfloat16,      &reference::binary32,
    &reference::binary64, &reference::float8_e4m3fn, &reference::float8_e5m2};

std::size_t index_of(const NumberFormat& f) {
  for (std::size_t i = 0; i < std::size(kFormatsOfCases); ++i)
    if (f == *kFormatsOfCases[i]) return i;
  throw std::logic_error("coverage: no case has the format " + std::string(f.name));
}

constexpr std::size_t kSituations = kRoundingSituations + 1;  // and that of no number
constexpr std::size_t kCells =
    kRoundedOperations * std::size(kFormatsOfCases) * kOperandClasses * kSituations;

std::size_t index_of(const CoverageCell& cell) {
  const std::size_t situation =
      cell.situation ? static_cast<std::size_t>(*cell.situation) : kRoundingSituations;
  std::size_t index = static_cast<std::size_t>(cell.operation);
  index = index * std::size(kFormatsOfCases) + index_of(*cell.format);
  index = index * kOperandClasses + static_cast<std::size_t>(cell.operand);
  return index * kSituations + situation;
}

}  // namespace

std::string_view name_of(RoundedOperation operation) {
  switch (operation) {
    case RoundedOperation::scale:
      return "scale";
    case RoundedOperation::accumulate:
      return "accumulate";
    case RoundedOperation::unscale:
      return "unscale";
    case RoundedOperation::clip:
      return "clip";
    case RoundedOperation::step:
      return "step";
  }
  return "";
}

std::string_view name_of(OperandClass operand) {
  switch (operand) {
    case OperandClass::zero:
      return "zero";
    case OperandClass::subnormal:
      return "subnormal";
    case OperandClass::normal:
      return "normal";
    case OperandClass::largest:
      return "largest";
    case OperandClass::infinity:
      return "inf";
    case OperandClass::nan:
      return "nan";
  }
  return "";
}

OperandClass operand_class(std::uint64_t bits, const NumberFormat& f) {
  const std::uint64_t magnitude = bits & f.magnitude_mask();
  if (f.is_nan(bits)) return OperandClass::nan;
  if (f.is_infinite(bits)) return OperandClass::infinity;
  if (magnitude == 0) return OperandClass::zero;
  if (magnitude < f.min_normal()) return OperandClass::subnormal;
  const bool is_in_highest_binade =
      magnitude >> f.fraction_bits == f.max_finite() >> f.fraction_bits;
  return is_in_highest_binade ? OperandClass::largest : OperandClass::normal;
}

std::vector<CoverageCell> all_cells() {
  std::vector<CoverageCell> cells;
  for (std::size_t operation = 0; operation < kRoundedOperations; ++operation)
    for (const NumberFormat* format : kFormatsOfCases)
      for (std::size_t operand = 0; operand < kOperandClasses; ++operand) {
        CoverageCell cell{static_cast<RoundedOperation>(operation), format,
                          static_cast<OperandClass>(operand), std::nullopt};
        if (cell.operand == OperandClass::infinity || cell.operand == OperandClass::nan) {
          cells.push_back(cell);
          continue;
        }
        for (std::size_t situation = 0; situation < kRoundingSituations; ++situation) {
          cell.situation = static_cast<RoundingSituation>(situation);
          cells.push_back(cell);
        }
      }
  return cells;
}

void Coverage::count(const CoverageCell& cell) {
  times_.resize(kCells);
  ++times_[index_of(cell)];
}

std::int64_t Coverage::times(const CoverageCell& cell) const {
  return times_.empty() ? 0 : times_[index_of(cell)];
}

void Coverage::add(const Coverage& other) {
  if (other.times_.empty()) return;
  times_.resize(kCells);
  for (std::size_t i = 0; i < kCells; ++i) times_[i] += other.times_[i];
}

}  // namespace ampcheck::properties
