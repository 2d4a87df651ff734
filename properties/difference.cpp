#include "properties/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ampcheck::properties {

using reference::NumberFormat;

namespace {

// Numbers in the order of their values.
std::int64_t order(std::uint64_t bits, const NumberFormat& f) {
  const auto magnitude = static_cast<std::int64_t>(f.magnitude(bits));
  return f.is_negative(bits) ? -magnitude : magnitude;
}

// Patterns between two; in unsigned arithmetic, since those of binary64 fill 64 bits.
std::uint64_t apart(std::uint64_t a, std::uint64_t b, const NumberFormat& f) {
  const auto x = static_cast<std::uint64_t>(order(a, f)),
             y = static_cast<std::uint64_t>(order(b, f));
  return order(a, f) < order(b, f) ? y - x : x - y;
}

}  // namespace

std::optional<std::uint64_t> same_number(std::uint64_t bits, const NumberFormat& from,
                                         const NumberFormat& to) {
  const std::uint64_t there = reference::convert({&from, bits}, to);
  if (from.is_finite(bits) != to.is_finite(there)) return {};
  if (from.is_finite(bits) && reference::value_of(there, to) != reference::value_of(bits, from))
    return {};
  return there;
}

std::string show(std::uint64_t bits, const NumberFormat& f) {
  return reference::to_string({&f, bits});
}

std::string distance(std::uint64_t bits, const reference::Admissible& set) {
  const NumberFormat& f = set.format();
  if (!set.has_ends() || !f.is_finite(bits)) return "";
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t end : set.patterns()) least = std::min(least, apart(end, bits, f));
  std::string text = fmt::format("{} ulps outside of the set", least);
  const std::uint64_t width = apart(set.lowest(), set.highest(), f);
  if (width > 0)
    text += fmt::format(", {:.2g} of its width",
                        static_cast<double>(least) / static_cast<double>(width));
  return text;
}

std::string kind_of(std::uint64_t bits, const NumberFormat& format,
                    const reference::Admissible& expected) {
  if (!format.is_finite(bits)) return "not finite";
  if (!expected.may_be_finite()) return "finite";
  if (format.is_zero(bits)) return "zero";
  return "wrong value";
}

}  // namespace ampcheck::properties
