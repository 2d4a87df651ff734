// The words of an axis, and which of them say more than others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subject/policy.hpp"

namespace ampcheck::properties::identify {

// An axis with the words, or numbers, that come into question.
struct Axis {
  std::string_view name;
  std::vector<subject::PolicyValue> words;
};

// The axis with all its words; without those that stand for a number.
Axis whole_axis(std::string_view name);

// True where everything that `narrow` admits is admitted by `wide`, too, so that no answer speaks
// for `wide` which speaks against `narrow`.
bool is_narrower(std::string_view axis, const subject::PolicyValue& narrow,
                 const subject::PolicyValue& wide);

// Whether two values of an axis mean the same: words are equal, and numbers are those of binary32,
// in which scales and norms are kept.
bool is_same(const subject::PolicyValue&, const subject::PolicyValue&);

// "n_plus_one", "0x1p-126".
std::string text_of(const subject::PolicyValue&);

}  // namespace ampcheck::properties::identify
