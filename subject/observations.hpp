// What a subject answers: one answer a step, each with the observations that the step asked for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "subject/tensor.hpp"

namespace ampcheck::subject {

// Where a gradient stands between backward and step. After the step every unit is legal.
enum class Unit { none, scaled, unscaled, cleared, unknown };

struct Null {  // cannot be shown
  friend bool operator==(const Null&, const Null&) = default;
};

struct ObservedTensor {
  Tensor tensor;           // empty where the unit is `cleared` and there is no gradient
  Unit unit = Unit::none;  // none: not a gradient
  friend bool operator==(const ObservedTensor&, const ObservedTensor&) = default;
};

struct Integers {
  std::vector<std::int64_t> values;
  friend bool operator==(const Integers&, const Integers&) = default;
};

using Value = std::variant<Null, bool, std::int64_t, Integers, Scalar, ObservedTensor>;

// One value a rank; a single one for a case of one rank.
using Observation = std::vector<Value>;

struct Answer {
  enum class Kind { done, raised, with, unsupported };
  Kind kind = Kind::done;
  std::string text;         // of an exception (raised: "Type: text") or the reason (unsupported)
  std::int64_t with = -1;   // index of the step that did this one too
  bool by_adapter = false;  // the adapter did what the subject leaves to its user
  std::map<std::string, Observation> observed;
  friend bool operator==(const Answer&, const Answer&) = default;
};

// What became of one case.
struct Reply {
  enum class Kind {
    answered,   //
    error,      // the subject says that it failed itself: {"error": TEXT}
    crashed,    // it ended
    timed_out,  //
    flooded,    // a line longer than the protocol allows
    nonsense,   // a line that is no answer
    lost,       // it could not be started again, so the case was never played
  };
  Kind kind = Kind::answered;
  std::string text;  // what happened, for all kinds but `answered`
  std::string stderr_tail;
  std::vector<Answer> answers;
};

}  // namespace ampcheck::subject
