// What a session may not be asked for.
#pragma once

#include <stdexcept>
#include <string>

namespace ampcheck::reference {

// The session was asked for something that the rules leave undefined, such as a name that does not
// exist. what(): "hyper.eps: expected a number of at least 0, found bf800000 = -0x1p+0 (binary32)".
struct BadSession : std::runtime_error {
  using std::runtime_error::runtime_error;
  BadSession(const std::string& field, const std::string& expected, const std::string& found)
      : std::runtime_error(field + ": expected " + expected + ", found " + found) {}

  static void unless(bool holds, const std::string& field, const std::string& expected,
                     const std::string& found) {
    if (!holds) throw BadSession(field, expected, found);
  }
};

}  // namespace ampcheck::reference
