// What a subject says of itself, and policies, as JSON (PROTOCOL.md §4).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "subject/hello.hpp"

namespace ampcheck::subject {

class JsonReader;

// The object inside {"hello":…}. Canonical: every field is written except limits and a time that
// are not set.
std::string dump_hello(const Hello& hello);
std::string dump_policy(const Policy& policy);
nlohmann::ordered_json hello_to_json(const Hello& hello);
nlohmann::ordered_json policy_to_json(const Policy& policy);

// Throw MalformedJson. That an axis which must be declared is missing is no fault of the text;
// Policy::missing tells.
Hello parse_hello(const nlohmann::json& document);
Policy parse_policy(const nlohmann::json& document);
Hello read_hello(const JsonReader& in);
Policy read_policy(const JsonReader& in);

}  // namespace ampcheck::subject
