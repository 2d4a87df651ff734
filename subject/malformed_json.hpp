// What every parser of this folder throws.
#pragma once

#include <stdexcept>
#include <string>

namespace ampcheck::subject {

// what(): "steps[3].loss.bits: expected 8 hexadecimal digits for binary32, found "3f80"".
struct MalformedJson : std::runtime_error {
  MalformedJson(std::string where, std::string wanted, std::string got)
      : std::runtime_error(where + ": expected " + wanted + ", found " + got),
        path(std::move(where)),
        expected(std::move(wanted)),
        found(std::move(got)) {}

  std::string path;  // of the value; FILE:LINE:COLUMN where the text is no JSON at all
  std::string expected;
  std::string found;
};

}  // namespace ampcheck::subject
