#include "conformance/fault_json.hpp"

#include <nlohmann/json.hpp>

namespace ampcheck::conformance {

void add_fault(nlohmann::ordered_json& json, const properties::Fault& fault) {
  json["kind"] = fault.kind;
  json["step"] = fault.step;
  json["observation"] = fault.observation;
  json["rank"] = fault.rank;
  json["element"] = fault.element;
  json["admissible"] = fault.expected;
  json["actual"] = fault.actual;
}

}  // namespace ampcheck::conformance
