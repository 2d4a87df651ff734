// What a subject says of itself, and policies, as JSON (PROTOCOL.md §4).
#pragma once

#include <string>
#include <string_view>

#include "subject/hello.hpp"

namespace ampcheck::subject {

class JsonReader;

// The object inside {"hello":…}. Canonical: every field is written except limits and a time that
// are not set.
std::string dump_hello(const Hello& hello);
std::string dump_policy(const Policy& policy);

// Throw MalformedJson. That an axis which must be declared is missing is no fault of the text;
// Policy::missing tells.
Hello parse_hello(std::string_view text, std::string_view name = "hello");
Policy parse_policy(std::string_view text, std::string_view name = "policy");
Hello read_hello(const JsonReader& in);
Policy read_policy(const JsonReader& in);

}  // namespace ampcheck::subject
