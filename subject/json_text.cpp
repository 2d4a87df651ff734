#include "subject/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "subject/json_reader.hpp"
#include "subject/malformed_json.hpp"

namespace ampcheck::subject {

using Type = JsonNode::Type;
using Json = nlohmann::json;

namespace {

// What the library reads through: its handler is told no position but that of a syntax error.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char*& read) : at_(at), read_(&read) {}
  const char& operator*() const { return *at_; }
  Cursor& operator++() {
    *read_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** read_;  // the end of what was read, for the handler
};

}  // namespace

// Makes nodes of the library's events. Bounds are kept by throwing out of them.
class JsonHandler final : public Json::json_sax_t {
 public:
  JsonHandler(JsonDocument& out, std::string_view text, std::string_view name)
      : out_(out), text_(text), name_(name), read_(text.data()) {}

  void parse();

  bool null() override { return push(Type::null, last(4)); }
  bool boolean(bool value) override { return push(Type::boolean, last(value ? 4 : 5)); }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override { return number(); }
  bool string(string_t& content) override;
  bool key(string_t& content) override { return string(content); }
  bool start_object(std::size_t) override { return open(Type::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Type::array); }
  bool end_array() override { return close(); }
  bool binary(binary_t&) override { return false; }  // no text has it
  bool parse_error(std::size_t read, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 private:
  struct Frame {
    Type type;
    std::size_t start;     // in the text
    std::size_t children;  // in stack_
  };

  std::size_t read() const { return static_cast<std::size_t>(read_ - text_.data()); }
  std::string_view last(std::size_t count) const { return text_.substr(read() - count, count); }

  [[noreturn]] void fail(std::string_view expected, const std::string& found, std::size_t at) const;
  bool push(Type type, std::string_view text);
  bool number();
  bool open(Type type);
  bool close();
  void check_keys(const Frame& frame) const;

  JsonDocument& out_;
  std::string_view text_, name_;
  const char* read_;
  std::size_t values_ = 0;
  std::vector<Frame> frames_;
  std::vector<JsonNode> stack_;  // finished children of unfinished containers
};

void JsonHandler::parse() {
  if (text_.size() > kMaxJsonText)
    throw MalformedJson(std::string(name_), fmt::format("at most {} bytes", kMaxJsonText),
                        fmt::format("{}", text_.size()));
  // The library would skip the one, and take the other for the end.
  if (text_.starts_with("\xef\xbb\xbf")) fail("JSON", "a byte order mark", 0);
  if (const std::size_t at = text_.find('\0'); at != std::string_view::npos)
    fail("JSON", "the byte 0x00", at);
  const char* const end = text_.data() + text_.size();
  Json::sax_parse(Cursor(text_.data(), read_), Cursor(end, read_), this);
  out_.root_ = stack_.front();
}

void JsonHandler::fail(std::string_view expected, const std::string& found, std::size_t at) const {
  std::size_t line = 1, column = 1;
  for (const char c : text_.substr(0, at)) {
    if (c == '\n') {
      ++line;
      column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++column;  // bytes that continue a character do not count
    }
  }
  throw MalformedJson(fmt::format("{}:{}:{}", name_, line, column), std::string(expected), found);
}

// `read` counts the end of the text as a byte.
bool JsonHandler::parse_error(std::size_t read, const std::string& token,
                              const nlohmann::detail::exception& error) {
  const std::string_view what = error.what();
  const std::size_t start = what.find("syntax error");  // after a position of the library's own
  if (start == std::string_view::npos)
    fail("a number that a double can hold", text_in_short(token), read - 1);
  const std::string quoted = text_in_short(what.substr(start), 200);
  fail("JSON", "a " + quoted.substr(1, quoted.size() - 2), read - 1);
}

bool JsonHandler::push(Type type, std::string_view text) {
  if (++values_ > kMaxJsonValues)
    fail(fmt::format("at most {} values", kMaxJsonValues), "more", read() - 1);
  stack_.push_back({type, 0, 0, text});
  return true;
}

bool JsonHandler::string(string_t& content) {
  // The source does as it is where nothing in it is escaped; before it is at least a quote.
  const std::string_view source = last(content.size() + 1).substr(0, content.size());
  return push(Type::string, source == content ? source : out_.strings_.emplace_back(content));
}

// Its source, so that none is rounded. The library has read a byte beyond it, if there is one.
bool JsonHandler::number() {
  std::string_view source = text_.substr(0, read());
  if (source.back() < '0' || source.back() > '9') source.remove_suffix(1);
  return push(Type::number, source.substr(source.find_last_not_of("0123456789+-.eE") + 1));
}

bool JsonHandler::open(Type type) {
  if (frames_.size() == kMaxJsonDepth)
    fail(fmt::format("at most {} levels of nesting", kMaxJsonDepth), "more", read() - 1);
  frames_.push_back({type, read() - 1, stack_.size()});
  return true;
}

bool JsonHandler::close() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.type == Type::object) check_keys(frame);
  const std::size_t count = stack_.size() - frame.children;
  const auto first = static_cast<std::uint32_t>(out_.nodes_.size());
  out_.nodes_.insert(out_.nodes_.end(),
                     stack_.begin() + static_cast<std::ptrdiff_t>(frame.children), stack_.end());
  stack_.resize(frame.children);
  push(frame.type, last(read() - frame.start));
  stack_.back().first = first;
  stack_.back().size = static_cast<std::uint32_t>(frame.type == Type::object ? count / 2 : count);
  return true;
}

void JsonHandler::check_keys(const Frame& frame) const {
  const auto twice = [&](std::string_view key) {
    fail("every key once", text_in_short(key) + " twice", frame.start);
  };
  const std::size_t begin = frame.children, end = stack_.size();
  if (end - begin <= 32) {
    for (std::size_t i = begin; i < end; i += 2)
      for (std::size_t j = begin; j < i; j += 2)
        if (stack_[i].text == stack_[j].text) twice(stack_[i].text);
    return;
  }
  std::vector<std::string_view> keys;
  for (std::size_t i = begin; i < end; i += 2) keys.push_back(stack_[i].text);
  std::ranges::sort(keys);
  if (const auto same = std::ranges::adjacent_find(keys); same != keys.end()) twice(*same);
}

JsonDocument::JsonDocument(std::string_view text, std::string_view name) {
  JsonHandler(*this, text, name).parse();
}

}  // namespace ampcheck::subject
