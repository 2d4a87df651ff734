// The coverage model for a reader and for a record.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "properties/coverage/coverage.hpp"

namespace ampcheck::conformance {

struct CoverageCount {
  std::int64_t reachable = 0, reached = 0;
};
CoverageCount count_cells(const properties::Coverage&);

// One row for each operation, format and class of operand; below it the reasons of the cells that
// are marked as unreachable.
std::string coverage_table(const properties::Coverage&);

// {"reachable", "reached", "cells": {operation: {format: {operand: {situation: times}}}}}, without
// cells that were not reached.
nlohmann::ordered_json coverage_json(const properties::Coverage&);

}  // namespace ampcheck::conformance
