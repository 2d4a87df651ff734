#include "subject/json_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "subject/malformed_json.hpp"

namespace ampcheck::subject {
namespace {

constexpr std::int64_t kMaxPlainInteger = std::int64_t{1} << 53;
constexpr std::size_t kShort = 60;

template <typename Integer>
std::optional<Integer> decimal(std::string_view text) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
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

void JsonReader::fail(std::string_view expected) const { fail(expected, in_short(*value_)); }

void JsonReader::fail(std::string_view expected, std::string_view found) const {
  throw MalformedJson(path(), std::string(expected), std::string(found));
}

void JsonReader::fail_inside(std::size_t index, std::string_view expected,
                             std::string_view found) const {
  throw MalformedJson(fmt::format("{}[{}]", path(), index), std::string(expected),
                      std::string(found));
}

void JsonReader::expect_object(std::string_view what) const {
  if (!value_->is_object()) fail(what);
}

JsonReader JsonReader::field(std::string_view key) const {
  if (auto found = find(key)) return *found;
  fail(fmt::format("the field \"{}\"", key), "none");
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  expect_object("an object");
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonReader(*found, *this, key, 0);
}

std::size_t JsonReader::size() const {
  if (!value_->is_array()) fail("an array");
  return value_->size();
}

JsonReader JsonReader::element(std::size_t index) const {
  return JsonReader((*value_)[index], *this, std::string_view(), index);
}

void JsonReader::each_field(const Visit& visit) const {
  expect_object("an object");
  for (auto field = value_->begin(); field != value_->end(); ++field)
    visit(field.key(), JsonReader(field.value(), *this, field.key(), 0));
}

bool JsonReader::is_null() const { return value_->is_null(); }

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) fail("true or false");
  return value_->get<bool>();
}

std::int64_t JsonReader::integer(std::int64_t least, std::int64_t most) const {
  std::optional<std::int64_t> read;
  if (value_->is_string()) {
    read = decimal<std::int64_t>(value_->get_ref<const std::string&>());
  } else if (value_->is_number_unsigned()) {
    const auto wide = value_->get<std::uint64_t>();
    if (wide <= static_cast<std::uint64_t>(kMaxPlainInteger))
      read = static_cast<std::int64_t>(wide);
  } else if (value_->is_number_integer()) {
    const auto narrow = value_->get<std::int64_t>();
    if (narrow >= -kMaxPlainInteger) read = narrow;
  }
  if (!read || *read < least || *read > most) {
    using Limits = std::numeric_limits<std::int64_t>;
    std::string wanted = "an integer";
    if (least != Limits::min() && most != Limits::max())
      wanted = fmt::format("an integer from {} to {}", least, most);
    else if (least != Limits::min())
      wanted = fmt::format("an integer of at least {}", least);
    if (!read && value_->is_number_integer()) wanted += " (beyond 2^53: as a string)";
    fail(wanted);
  }
  return *read;
}

std::uint64_t JsonReader::natural() const {
  std::optional<std::uint64_t> read;
  if (value_->is_string()) {
    read = decimal<std::uint64_t>(value_->get_ref<const std::string&>());
  } else if (value_->is_number_unsigned()) {
    const auto wide = value_->get<std::uint64_t>();
    if (wide <= static_cast<std::uint64_t>(kMaxPlainInteger)) read = wide;
  }
  if (!read) fail("an integer from 0 to 2^64 - 1 (beyond 2^53: as a string)");
  return *read;
}

const std::string& JsonReader::text() const {
  if (!value_->is_string()) fail("a string");
  return value_->get_ref<const std::string&>();
}

const std::string& JsonReader::name() const {
  const std::string& text = this->text();
  if (text.empty()) fail("a name");
  return text;
}

std::size_t JsonReader::one_of(std::span<const std::string_view> words) const {
  const std::string& word = text();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return i;
  fail(alternatives(words));
}

std::string text_in_short(std::string_view text) {
  const bool whole = text.size() <= kShort;
  const nlohmann::json value = std::string(text.substr(0, kShort));
  std::string dumped = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (!whole) dumped.insert(dumped.size() - 1, "…");
  return dumped;
}

std::string in_short(const nlohmann::json& value) {
  if (value.is_string()) return text_in_short(value.get_ref<const std::string&>());
  if (value.is_array() && !value.empty()) return fmt::format("an array of {}", value.size());
  if (value.is_object() && !value.empty()) return fmt::format("an object of {}", value.size());
  return value.dump();
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
