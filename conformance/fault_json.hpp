// A fault as members of a JSON object: in records and in the files of failing cases.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "properties/judge.hpp"

namespace ampcheck::conformance {

void add_fault(nlohmann::ordered_json&, const properties::Fault&);

}  // namespace ampcheck::conformance
