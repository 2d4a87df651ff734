// A real number that can be compared with any rational, which is all that rounding asks of it.
//
// Rationals and the square roots of norms are of class Exact, which computes besides and is what
// the rules use. The kinds here are slower and only compare: Root (p-norms) and Transcendental (exp
// and log).
#pragma once

#include <compare>
#include <stdexcept>
#include <string>

#include "reference/rational.hpp"

namespace ampcheck::reference {

// Thrown where a comparison needs more bits than its kind of number is ever computed to. There is
// no answer then, and none is guessed.
class PrecisionExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Real {
 public:
  virtual ~Real() = default;
  // How this number compares with r. Always right and always terminates.
  virtual std::strong_ordering compare(const Rational& r) const = 0;
  // "exp(1/3)".
  virtual std::string to_string() const = 0;

  // -1, 0 or 1.
  int sign() const {
    const std::strong_ordering order = compare(0);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
};

}  // namespace ampcheck::reference
