// Base64 of RFC 4648 §4.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ampcheck::subject {

std::string encode_base64(std::string_view bytes);

// Nothing where the text is not what encode_base64 gives: a foreign character, no padding, spare
// bits set.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace ampcheck::subject
