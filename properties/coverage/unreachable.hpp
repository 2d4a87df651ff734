// Cells of the coverage model that no case can reach.
#pragma once

#include <string_view>

#include "properties/coverage/coverage.hpp"

namespace ampcheck::properties {

// The reason in one sentence; empty for a cell that cases at level standard reach.
std::string_view why_unreachable(const CoverageCell&);

}  // namespace ampcheck::properties
