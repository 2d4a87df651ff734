#include "subject/json_writer.hpp"

#include <charconv>

namespace ampcheck::subject {
namespace {

constexpr std::uint64_t kMaxPlainInteger = std::uint64_t{1} << 53;

template <typename Integer>
void append_decimal(std::string& out, Integer value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  out_ += '"';
  out_ += name;
  out_ += "\":";
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::key_of_any(std::string_view name) {
  separate();
  append_quoted(out_, name);
  out_ += ':';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  append_quoted(raw(), value);
  return *this;
}

JsonWriter& JsonWriter::word(std::string_view value) {
  std::string& out = raw();
  out += '"';
  out += value;
  out += '"';
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  raw() += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  raw() += "null";
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  const bool negative = value < 0;
  const std::uint64_t magnitude = negative ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                           : static_cast<std::uint64_t>(value);
  std::string& out = raw();
  const bool as_text = magnitude > kMaxPlainInteger;
  if (as_text) out += '"';
  append_decimal(out, value);
  if (as_text) out += '"';
  return *this;
}

JsonWriter& JsonWriter::natural(std::uint64_t value) {
  std::string& out = raw();
  const bool as_text = value > kMaxPlainInteger;
  if (as_text) out += '"';
  append_decimal(out, value);
  if (as_text) out += '"';
  return *this;
}

}  // namespace ampcheck::subject
