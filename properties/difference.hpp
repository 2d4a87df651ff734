// An observed pattern beside an admissible set, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reference/admissible.hpp"

namespace ampcheck::properties {

// A pattern of one format as the pattern of another that holds the same number; nothing where that
// format does not have it.
std::optional<std::uint64_t> same_number(std::uint64_t bits, const reference::NumberFormat& from,
                                         const reference::NumberFormat& to);

// "3f800000 = 0x1p+0 (binary32)".
std::string show(std::uint64_t bits, const reference::NumberFormat& format);

// What is wrong with a pattern outside of a set, in a fixed word or two.
std::string kind_of(std::uint64_t bits, const reference::NumberFormat& format,
                    const reference::Admissible& expected);

// How far a pattern lies outside of a set of its format: "2 ulps outside of the set, 0.5 of its
// width". Empty where one of them has no place in the order of numbers.
std::string distance(std::uint64_t bits, const reference::Admissible& set);

}  // namespace ampcheck::properties
