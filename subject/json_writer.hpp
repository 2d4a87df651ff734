// Builds canonical JSON straight into a string: compact, fields in the order in which they are
// written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ampcheck::subject {

// Commas look after themselves. Keys are trusted (they are ours, or go through `key_of_any`).
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);         // without characters to escape
  JsonWriter& key_of_any(std::string_view name);  // escaped
  JsonWriter& text(std::string_view value);
  JsonWriter& word(std::string_view value);  // a text without characters to escape
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  // Beyond ±2^53 a decimal string.
  JsonWriter& integer(std::int64_t value);
  JsonWriter& natural(std::uint64_t value);

  // For a value that the caller appends to the string himself.
  std::string& raw() {
    separate();
    comma_ = true;
    return out_;
  }

 private:
  JsonWriter& open(char bracket) {
    separate();
    out_ += bracket;
    comma_ = false;
    return *this;
  }
  JsonWriter& close(char bracket) {
    out_ += bracket;
    comma_ = true;
    return *this;
  }
  void separate() {
    if (comma_) out_ += ',';
  }

  std::string& out_;
  bool comma_ = false;  // a value stands before the next one
};

// A JSON string of any bytes that are UTF-8.
void append_quoted(std::string& out, std::string_view text);

}  // namespace ampcheck::subject
