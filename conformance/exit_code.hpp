// How the program ends.
#pragma once

#include <stdexcept>
#include <string>

namespace ampcheck::conformance {

enum ExitCode : int {
  kConforms = 0,
  kDoesNotConform = 1,
  kUsage = 2,  // also an unreadable or malformed file, and nothing selected, applicable or run
  kSubjectDidNotStart = 3,
  kDeviceAbsent = 4,
  kInternalError = 5,
};

// Ends the program with one line on stderr and a code.
struct Exit : std::runtime_error {
  Exit(ExitCode with, const std::string& text) : std::runtime_error(text), code(with) {}
  ExitCode code;
};

}  // namespace ampcheck::conformance
