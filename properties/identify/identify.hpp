// Works out from outside which of the choices of a policy a subject makes. What it declares is
// never read.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/identify/elimination.hpp"
#include "subject/policy.hpp"
#include "subject/subject.hpp"

namespace ampcheck::properties::identify {

struct Identified {
  std::vector<Finding> findings;  // one an axis, in the order of the table
  std::int64_t cases = 0;         // played

  const Finding& at(std::string_view axis) const;
  // The axes of which one word is left.
  subject::Policy known() const;
};

// At most this many cases are played.
inline constexpr std::int64_t kMostCases = 200;

Identified identify(subject::Subject&);

}  // namespace ampcheck::properties::identify
