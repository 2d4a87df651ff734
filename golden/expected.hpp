// What a vector file says of its case: exact values, and the admissible sets under each policy.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/real_numbers.hpp"
#include "golden/vectors.hpp"
#include "subject/policy.hpp"

namespace ampcheck::golden {

// Where something is seen, and in which unit, for a gradient.
struct Place {
  std::size_t step = 0;
  std::string observation;
  std::string unit;  // "scaled", "unscaled"; empty for what is no gradient
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct ExactEntry {
  Place place;
  ExactValues values;
};

// What may be seen at a place, as JSON fields: `"format":…,"elements":[…]`, `"stepped":true`, ….
struct SetEntry {
  Place place;
  std::vector<std::string> policies;
  std::string fields;
};

// What a mistake gives: the first deciding observation that shows it.
struct MistakeEntry {
  std::string name;
  std::string sentence;
  Place place;
  std::size_t element = 0;
  std::string exact;  // of a recipe
  std::string shown;  // JSON: a pattern in quotes, or a boolean
};

struct Expected {
  std::map<std::string, subject::Policy> policies;
  std::vector<ExactEntry> exact;
  std::vector<SetEntry> sets;
  std::vector<MistakeEntry> mistakes;
};

// Throws std::logic_error where a built-in mutant that the vector names does not exist or is not
// caught by it.
Expected expected_of(const Vector& vector);

// The textbook's policy with these axes changed.
subject::Policy policy_of(const NamedPolicy& named);

}  // namespace ampcheck::golden
