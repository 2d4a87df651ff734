// Released scalers, and which of them a subject is like.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/built_in.hpp"
#include "properties/identify/identify.hpp"

namespace ampcheck::properties::identify {

struct Family {
  std::string_view name;
  // Axes other than those of a strict schedule (PROTOCOL.md, section 5), which none leaves out.
  PolicyChanges axes;
};

const std::vector<Family>& families();

// Where a subject departs from a family.
struct Departure {
  std::string axis;
  subject::PolicyValue found, expected;
};

struct Likeness {
  const Family* family = nullptr;
  std::vector<Departure> departures;
};

// The families with the fewest departures in the schedule of the scale, and among them in all that
// they say; usually one. Axes that are not known count neither way. None where nothing of the
// schedule is known.
std::vector<Likeness> nearest_families(const Identified&);

}  // namespace ampcheck::properties::identify
