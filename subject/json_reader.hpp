// Reads a parsed JSON document with errors that say where, what was expected, and what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "subject/json_text.hpp"

namespace ampcheck::subject {

// A value and the way to it. It points to its parent, so that a path costs nothing until an error
// prints it; hence it must not outlive what it was made from.
class JsonReader {
 public:
  explicit JsonReader(const JsonDocument& document)
      : document_(&document), node_(&document.root()) {}
  explicit JsonReader(JsonDocument&&) = delete;  // it would dangle

  // "steps[3].loss"; "(document)" for the whole.
  std::string path() const;
  JsonNode::Type type() const { return node_->type; }
  // The source of what is no string.
  std::string_view source() const { return node_->text; }

  // A field. Where it is missing: an error, or nothing.
  JsonReader field(std::string_view key) const;
  std::optional<JsonReader> find(std::string_view key) const;
  // An element of an array, and how many there are (an error where it is no array).
  JsonReader element(std::size_t index) const;
  std::size_t size() const;
  using Visit = std::function<void(const std::string& key, const JsonReader& value)>;
  void each_field(const Visit& visit) const;  // of an object

  void expect_object(std::string_view what) const;
  bool is_null() const { return type() == JsonNode::Type::null; }
  bool boolean() const;
  // As a number, or as a decimal string. One beyond ±2^53 must be a string.
  std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  std::uint64_t natural() const;
  std::string_view text() const;  // valid as long as the document
  std::string_view name() const;  // text that is not empty
  // Index of the word among `words`.
  std::size_t one_of(std::span<const std::string_view> words) const;

  [[noreturn]] void fail(std::string_view expected) const;
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const;
  // For a text that is a list itself: the path gets "[index]" although the document ends here.
  [[noreturn]] void fail_inside(std::size_t index, std::string_view expected,
                                std::string_view found) const;

 private:
  JsonReader(const JsonNode& node, const JsonReader& parent, std::string_view key,
             std::size_t index)
      : document_(parent.document_), node_(&node), parent_(&parent), key_(key), index_(index) {}

  std::string found() const;

  const JsonDocument* document_;
  const JsonNode* node_;
  const JsonReader* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;  // in an array, where key_ has no data
};

// In quotes, escaped, ASCII only, and cut after `most` bytes: for an error.
std::string text_in_short(std::string_view text, std::size_t most = 60);

// "a", "a or b", "a, b or c".
std::string alternatives(std::span<const std::string_view> words);

}  // namespace ampcheck::subject
