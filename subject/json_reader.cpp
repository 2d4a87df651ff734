#include "subject/json_reader.hpp"

#include <fmt/format.h>

#include <charconv>

#include "subject/malformed_json.hpp"

namespace ampcheck::subject {
namespace {

constexpr std::size_t kShort = 60;
constexpr std::int64_t kMaxPlainInteger = std::int64_t{1} << 53;

using Type = JsonNode::Type;

template <typename Integer>
std::optional<Integer> decimal(std::string_view text) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_integer(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

std::string JsonReader::path() const {
  if (parent_ == nullptr) return "(document)";
  std::string front = parent_->parent_ == nullptr ? std::string() : parent_->path();
  if (key_.data() == nullptr) return fmt::format("{}[{}]", front, index_);
  if (!front.empty()) front += '.';
  // A key is the sender's; it is printed, so it is escaped and kept short.
  const std::string escaped = text_in_short(key_);
  return front + escaped.substr(1, escaped.size() - 2);
}

std::string JsonReader::found() const {
  if (type() == Type::string) return text_in_short(node_->text);
  if (node_->size > 0)
    return fmt::format("an {} of {}", type() == Type::array ? "array" : "object", node_->size);
  if (type() == Type::array) return "[]";
  if (type() == Type::object) return "{}";
  return std::string(node_->text.substr(0, kShort));
}

void JsonReader::fail(std::string_view expected) const { fail(expected, found()); }

void JsonReader::fail(std::string_view expected, std::string_view found) const {
  throw MalformedJson(path(), std::string(expected), std::string(found));
}

void JsonReader::fail_inside(std::size_t index, std::string_view expected,
                             std::string_view found) const {
  throw MalformedJson(fmt::format("{}[{}]", path(), index), std::string(expected),
                      std::string(found));
}

void JsonReader::expect_object(std::string_view what) const {
  if (type() != Type::object) fail(what);
}

JsonReader JsonReader::field(std::string_view key) const {
  if (auto found = find(key)) return *found;
  fail(fmt::format("the field \"{}\"", key), "none");
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  expect_object("an object");
  for (std::size_t i = 0; i < node_->size; ++i)
    if (document_->key(*node_, i) == key)
      return JsonReader(document_->value(*node_, i), *this, document_->key(*node_, i), 0);
  return std::nullopt;
}

std::size_t JsonReader::size() const {
  if (type() != Type::array) fail("an array");
  return node_->size;
}

JsonReader JsonReader::element(std::size_t index) const {
  return JsonReader(document_->element(*node_, index), *this, std::string_view(), index);
}

void JsonReader::each_field(const Visit& visit) const {
  expect_object("an object");
  for (std::size_t i = 0; i < node_->size; ++i) {
    const std::string_view key = document_->key(*node_, i);
    visit(std::string(key), JsonReader(document_->value(*node_, i), *this, key, 0));
  }
}

bool JsonReader::boolean() const {
  if (type() != Type::boolean) fail("true or false");
  return node_->text == "true";
}

std::int64_t JsonReader::integer(std::int64_t least, std::int64_t most) const {
  std::optional<std::int64_t> read;
  const bool plain = type() == Type::number && is_integer(node_->text);
  if (plain || type() == Type::string) read = decimal<std::int64_t>(node_->text);
  if (plain && read && (*read > kMaxPlainInteger || *read < -kMaxPlainInteger)) read.reset();
  if (!read || *read < least || *read > most) {
    using Limits = std::numeric_limits<std::int64_t>;
    std::string wanted = "an integer";
    if (least != Limits::min() && most != Limits::max())
      wanted = fmt::format("an integer from {} to {}", least, most);
    else if (least != Limits::min())
      wanted = fmt::format("an integer of at least {}", least);
    if (!read && plain) wanted += " (beyond 2^53: as a string)";
    fail(wanted);
  }
  return *read;
}

std::uint64_t JsonReader::natural() const {
  std::optional<std::uint64_t> read;
  const bool plain = type() == Type::number && is_integer(node_->text);
  if (plain || type() == Type::string) read = decimal<std::uint64_t>(node_->text);
  if (!read || (plain && *read > static_cast<std::uint64_t>(kMaxPlainInteger)))
    fail("an integer from 0 to 2^64 - 1 (beyond 2^53: as a string)");
  return *read;
}

std::string_view JsonReader::text() const {
  if (type() != Type::string) fail("a string");
  return node_->text;
}

std::string_view JsonReader::name() const {
  if (text().empty()) fail("a name");
  return text();
}

std::size_t JsonReader::one_of(std::span<const std::string_view> words) const {
  const std::string_view word = text();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return i;
  fail(alternatives(words));
}

std::string text_in_short(std::string_view text, std::size_t most) {
  std::string out = "\"";
  for (const char c : text.substr(0, most)) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c >= 0x20 && c < 0x7F)
      out += c;
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out + (text.size() > most ? "...\"" : "\"");
}

std::string alternatives(std::span<const std::string_view> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  return list;
}

}  // namespace ampcheck::subject
