// From text to a JSON document, with bounds on what a hostile text can cost.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace ampcheck::subject {

// No message nests deeper than a case in an envelope does, with a wide margin.
inline constexpr int kMaxJsonDepth = 64;
// A node of the parsed document takes up to 100 bytes for two of its text ("[]," and the like), so
// that the size of a text alone bounds nothing. Numbers travel as one string a tensor and count as
// one value.
inline constexpr std::size_t kMaxJsonContainers = std::size_t{1} << 20;
inline constexpr std::size_t kMaxJsonValues = std::size_t{1} << 22;
inline constexpr std::size_t kMaxJsonText = std::size_t{256} << 20;

// Throws MalformedJson with the path "NAME:LINE:COLUMN". Lines and columns count from 1, columns in
// characters. `name` is a file's name, or says what the text is.
nlohmann::json parse_document(std::string_view text, std::string_view name);

}  // namespace ampcheck::subject
