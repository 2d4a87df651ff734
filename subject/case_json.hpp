// Cases as JSON (PROTOCOL.md §3).
//
// Canonical: compact, fields in PROTOCOL.md's order. Every field is written, its default too, so
// that a reader needs no table of defaults; only `observe` is left out where it is empty. What is
// read may leave out whatever has a default, and unknown fields are ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "subject/case.hpp"

namespace ampcheck::subject {

class JsonReader;

inline constexpr std::int64_t kMaxRanks = 1024;

std::string dump_case(const Case& one);
void append_case(std::string& out, const Case& one);

// Throw MalformedJson. `name` says in errors what the text is: a file, mostly.
Case parse_case(std::string_view text, std::string_view name = "case");
Case read_case(const JsonReader& in);  // for a case inside another document

}  // namespace ampcheck::subject
