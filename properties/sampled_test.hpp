// Which mutants and controls a test plays that looks at all of a kind.
#pragma once

#include <vector>

#include "properties/built_in.hpp"
#include "reference/share_test.hpp"

namespace ampcheck::properties {

// All of a kind. A sanitized build has time for few: each is a subject of its own, played in full.
inline constexpr int kSampled = reference::kShare == 1 ? 1 : 4 * reference::kShare;
inline std::vector<const BuiltIn*> sampled(BuiltIn::Kind kind) {
  std::vector<const BuiltIn*> chosen;
  int i = 0;
  for (const BuiltIn& one : built_ins())
    if (one.kind == kind && i++ % kSampled == 0) chosen.push_back(&one);
  return chosen;
}

}  // namespace ampcheck::properties
