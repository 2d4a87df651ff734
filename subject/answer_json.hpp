// What a subject answers, as JSON (PROTOCOL.md §1 and §3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subject/case.hpp"
#include "subject/observations.hpp"

namespace ampcheck::subject {

class JsonReader;

// {"case":ID,"answers":[…]}, or {"case":ID,"error":TEXT} for a reply that is no answer.
std::string dump_reply(const Case& one, const Reply& reply);
std::string dump_answers(const Case& one, const std::vector<Answer>& answers);

// Answers are read against the case they answer: one a step, each with the names that its step
// observes (further ones are ignored), of the kind that the name tells, one value a rank. Throws
// MalformedJson.
std::vector<Answer> parse_answers(std::string_view text, const Case& one,
                                  std::string_view name = "answers");
std::vector<Answer> read_answers(const JsonReader& in, const Case& one);

// The message of a subject to a run: `answered` or `error`. The caller has found the case by its
// "case".
Reply read_reply(const JsonReader& in, const Case& one);

}  // namespace ampcheck::subject
