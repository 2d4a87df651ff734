#include "subject/json_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "subject/malformed_json.hpp"

namespace ampcheck::subject {
namespace {

// "NAME:LINE:COLUMN" of the byte at `offset`.
std::string place(std::string_view text, std::string_view name, std::size_t offset) {
  std::size_t line = 1, column = 1;
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++column;  // bytes that continue a character of UTF-8 do not count
    }
  }
  return fmt::format("{}:{}:{}", name, line, column);
}

// Counts before anything is built. A text that is no JSON may be counted wrongly; it fails anyway.
void check_bounds(std::string_view text, std::string_view name) {
  if (text.size() > kMaxJsonText)
    throw MalformedJson(std::string(name), fmt::format("at most {} bytes", kMaxJsonText),
                        fmt::format("{}", text.size()));
  int depth = 0;
  std::size_t containers = 0, commas = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        for (++i; i < text.size() && text[i] != '"'; ++i)
          if (text[i] == '\\') ++i;
        break;
      case '[':
      case '{':
        if (++depth > kMaxJsonDepth)
          throw MalformedJson(place(text, name, i),
                              fmt::format("at most {} levels of nesting", kMaxJsonDepth), "more");
        if (++containers > kMaxJsonContainers)
          throw MalformedJson(place(text, name, i),
                              fmt::format("at most {} arrays and objects", kMaxJsonContainers),
                              "more");
        break;
      case ']':
      case '}':
        --depth;
        break;
      case ',':
        if (++commas > kMaxJsonValues)
          throw MalformedJson(place(text, name, i),
                              fmt::format("at most {} values", kMaxJsonValues), "more");
        break;
      default:
        break;
    }
  }
}

// nlohmann's message without its prefix: "[…] parse error at line 1, column 2: syntax error while
// parsing value - invalid literal; last read: 'x'".
std::string reason(std::string_view message) {
  for (const std::string_view mark : {" - ", ": "})
    if (const auto at = message.find(mark); at != std::string_view::npos)
      return std::string(message.substr(at + mark.size()));
  return std::string(message);
}

}  // namespace

nlohmann::json parse_document(std::string_view text, std::string_view name) {
  check_bounds(text, name);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    // Its byte is the number of bytes read, the offending one included.
    const std::size_t offset = error.byte == 0 ? 0 : std::min(error.byte - 1, text.size());
    throw MalformedJson(place(text, name, offset), "JSON", reason(error.what()));
  } catch (const nlohmann::json::exception& error) {  // a number that no double holds
    throw MalformedJson(std::string(name), "JSON", reason(error.what()));
  }
}

}  // namespace ampcheck::subject
