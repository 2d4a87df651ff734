// A policy: the choices in which correct implementations differ, as a subject declares them.
//
// Here a policy is only data, checked against a table of axes; what a choice means for an
// admissible set is the reference's business. PROTOCOL.md §4 describes every axis.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "subject/tensor.hpp"

namespace ampcheck::subject {

struct PolicyAxis {
  std::string_view name;
  // Words that it takes. "<number>" stands for a scalar, "<format>" for the name of a number
  // format.
  std::span<const std::string_view> values;
  // The value that holds where nothing is declared. Empty: the axis must be declared.
  std::string_view strict;
  std::string_view meaning;  // one sentence
};

std::span<const PolicyAxis> policy_axes();
const PolicyAxis* find_policy_axis(std::string_view name);

// A declared choice: a word of the axis, or a scalar.
struct PolicyValue {
  std::string word;
  Scalar number;  // format set: the value is this number and word is empty
  friend bool operator==(const PolicyValue&, const PolicyValue&) = default;
};

struct Policy {
  std::map<std::string, PolicyValue> declared;

  // The declared value, else the strict one. An axis that must be declared and is not: an empty
  // word.
  PolicyValue at(std::string_view axis) const;
  // Axes that must be declared and are not.
  std::vector<std::string> missing() const;
  friend bool operator==(const Policy&, const Policy&) = default;
};

}  // namespace ampcheck::subject
