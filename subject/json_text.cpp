#include "subject/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "subject/json_reader.hpp"
#include "subject/malformed_json.hpp"

namespace ampcheck::subject {

using Type = JsonNode::Type;

// No recursion: depth costs a frame of ours, not of the stack.
class JsonParser {
 public:
  JsonParser(JsonDocument& out, std::string_view text, std::string_view name)
      : out_(out), text_(text), name_(name) {}

  void parse();

 private:
  struct Frame {
    Type type;
    std::size_t start;     // in the text
    std::size_t children;  // in stack_
  };

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool at_digit() const { return peek() >= '0' && peek() <= '9'; }
  bool accept(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (!at_end() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  [[noreturn]] void fail(std::string_view expected) const { fail(expected, found(), at_); }
  [[noreturn]] void fail(std::string_view expected, const std::string& found, std::size_t at) const;
  std::string found() const;

  void push(Type type, std::string_view text);
  void open(Type type);
  void close();
  void check_keys(const Frame& frame) const;
  bool begin_value();  // true: it is whole; false: a value inside it is wanted
  bool end_value();    // true: the document is whole; false: another value is wanted
  void key();
  void word(std::string_view word, Type type);
  void digits();
  void number();
  std::string_view string();
  void character();
  std::uint32_t hex_quad();
  void escape(std::string& into);

  JsonDocument& out_;
  std::string_view text_, name_;
  std::size_t at_ = 0, values_ = 0;
  std::vector<Frame> frames_;
  std::vector<JsonNode> stack_;  // finished children of unfinished containers
};

void JsonParser::fail(std::string_view expected, const std::string& found, std::size_t at) const {
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

std::string JsonParser::found() const {
  if (at_end()) return "the end";
  std::size_t end = at_;
  while (end < text_.size() && end - at_ < 20 &&
         std::string_view(" \n\r\t,:[]{}").find(text_[end]) == std::string_view::npos)
    ++end;
  return text_in_short(text_.substr(at_, std::max<std::size_t>(end - at_, 1)));
}

void JsonParser::push(Type type, std::string_view text) {
  if (++values_ > kMaxJsonValues)
    fail(fmt::format("at most {} values", kMaxJsonValues), "more", at_);
  stack_.push_back({type, 0, 0, text});
}

void JsonParser::open(Type type) {
  if (frames_.size() == kMaxJsonDepth)
    fail(fmt::format("at most {} levels of nesting", kMaxJsonDepth), "more", at_);
  frames_.push_back({type, at_, stack_.size()});
  ++at_;
}

void JsonParser::close() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.type == Type::object) check_keys(frame);
  const std::size_t count = stack_.size() - frame.children;
  const auto first = static_cast<std::uint32_t>(out_.nodes_.size());
  out_.nodes_.insert(out_.nodes_.end(),
                     stack_.begin() + static_cast<std::ptrdiff_t>(frame.children), stack_.end());
  stack_.resize(frame.children);
  push(frame.type, text_.substr(frame.start, at_ - frame.start));
  stack_.back().first = first;
  stack_.back().size = static_cast<std::uint32_t>(frame.type == Type::object ? count / 2 : count);
}

void JsonParser::check_keys(const Frame& frame) const {
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

void JsonParser::parse() {
  if (text_.size() > kMaxJsonText)
    throw MalformedJson(std::string(name_), fmt::format("at most {} bytes", kMaxJsonText),
                        fmt::format("{}", text_.size()));
  while (!begin_value() || !end_value()) {
  }
  skip_space();
  if (!at_end()) fail("the end");
  out_.root_ = stack_.front();
}

bool JsonParser::begin_value() {
  skip_space();
  switch (peek()) {
    case '{':
      open(Type::object);
      skip_space();
      if (!accept('}')) {
        key();
        return false;
      }
      close();
      break;
    case '[':
      open(Type::array);
      skip_space();
      if (!accept(']')) return false;
      close();
      break;
    case '"':
      push(Type::string, string());
      break;
    case 't':
      word("true", Type::boolean);
      break;
    case 'f':
      word("false", Type::boolean);
      break;
    case 'n':
      word("null", Type::null);
      break;
    default:
      number();
  }
  return true;
}

bool JsonParser::end_value() {
  while (!frames_.empty()) {
    skip_space();
    const bool in_object = frames_.back().type == Type::object;
    if (accept(',')) {
      if (in_object) key();
      return false;
    }
    if (!accept(in_object ? '}' : ']')) fail(in_object ? "\",\" or \"}\"" : "\",\" or \"]\"");
    close();
  }
  return true;
}

void JsonParser::key() {
  skip_space();
  if (peek() != '"') fail("a key");
  push(Type::string, string());
  skip_space();
  if (!accept(':')) fail("\":\"");
}

void JsonParser::word(std::string_view word, Type type) {
  if (!text_.substr(at_).starts_with(word)) fail("a value");
  push(type, text_.substr(at_, word.size()));
  at_ += word.size();
}

void JsonParser::digits() {
  if (!at_digit()) fail("a digit");
  while (at_digit()) ++at_;
}

void JsonParser::number() {
  const std::size_t start = at_;
  const bool negative = accept('-');
  if (!at_digit()) fail(negative ? "a digit" : "a value");
  if (!accept('0')) digits();
  if (accept('.')) digits();
  if (accept('e') || accept('E')) {
    if (!accept('+')) accept('-');
    digits();
  }
  push(Type::number, text_.substr(start, at_ - start));
}

// One character that is not ASCII, by the table of well-formed UTF-8 (Unicode 15.0, table 3-7).
void JsonParser::character() {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0;
  };
  const unsigned lead = byte(0);
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  bool good = length > 0 && byte(1) >= least && byte(1) <= most;
  for (std::size_t i = 2; i < length; ++i) good = good && byte(i) >= 0x80 && byte(i) <= 0xBF;
  if (!good) fail("UTF-8", fmt::format("the byte 0x{:02x}", lead), at_);
  at_ += length;
}

std::string_view JsonParser::string() {
  ++at_;
  std::size_t start = at_;
  std::string* decoded = nullptr;
  for (;;) {
    if (at_end()) fail("the end of a string");
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c >= 0x80) {
      character();
    } else if (c < 0x20) {
      fail("a character, or its escape", fmt::format("the byte 0x{:02x}", c), at_);
    } else if (c == '"') {
      break;
    } else if (c == '\\') {
      if (decoded == nullptr) decoded = &out_.strings_.emplace_back();
      decoded->append(text_, start, at_ - start);
      ++at_;
      escape(*decoded);
      start = at_;
    } else {
      ++at_;
    }
  }
  const std::string_view rest = text_.substr(start, at_ - start);
  ++at_;
  if (decoded == nullptr) return rest;
  decoded->append(rest);
  return *decoded;
}

std::uint32_t JsonParser::hex_quad() {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = peek();
    const bool digit = c >= '0' && c <= '9';
    const char lower = static_cast<char>(c | 0x20);
    if (!digit && (lower < 'a' || lower > 'f')) fail("four hexadecimal digits");
    value = value << 4 | static_cast<std::uint32_t>(digit ? c - '0' : lower - 'a' + 10);
    ++at_;
  }
  return value;
}

void JsonParser::escape(std::string& into) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t letter = at_end() ? std::string_view::npos : kLetters.find(text_[at_]);
  if (letter != std::string_view::npos) {
    into += kMeanings[letter];
    ++at_;
    return;
  }
  if (!accept('u')) fail("an escape");
  const std::size_t start = at_;
  std::uint32_t code = hex_quad();
  if (code >= 0xD800 && code < 0xE000) {  // half of a pair
    const bool paired = code < 0xDC00 && accept('\\') && accept('u');
    const std::uint32_t low = paired ? hex_quad() : 0;
    if (low < 0xDC00 || low >= 0xE000) fail("a pair of surrogates", "one alone", start);
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  const auto put = [&](std::uint32_t byte) { into += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 63));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 63));
    put(0x80 | (code & 63));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 63));
    put(0x80 | (code >> 6 & 63));
    put(0x80 | (code & 63));
  }
}

JsonDocument::JsonDocument(std::string_view text, std::string_view name) {
  JsonParser(*this, text, name).parse();
}

}  // namespace ampcheck::subject
