#include "subject/json_text.hpp"

#include <gmock/gmock.h>

#include <string>

#include "subject/malformed_json.hpp"

namespace ampcheck::subject {
namespace {

std::string fault_of(std::string_view text) {
  try {
    const JsonDocument document(text, "f.json");
  } catch (const MalformedJson& error) {
    return error.what();
  }
  return "none";
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string made;
  for (std::size_t i = 0; i < times; ++i) made += text;
  return made;
}

TEST(JsonText, ADocument) {
  const std::string text = R"( {"a": [1, -2.5e+3, "x\n\u00e9\ud83d\ude00"], "b": {}} )";
  const JsonDocument document(text, "f");
  const JsonNode& root = document.root();
  ASSERT_EQ(root.size, 2u);
  EXPECT_EQ(document.key(root, 0), "a");
  const JsonNode& list = document.value(root, 0);
  ASSERT_EQ(list.size, 3u);
  EXPECT_EQ(document.element(list, 1).text, "-2.5e+3");
  EXPECT_EQ(document.element(list, 2).text, "x\né😀");
  EXPECT_EQ(document.value(root, 1).type, JsonNode::Type::object);
  EXPECT_EQ(list.text, R"([1, -2.5e+3, "x\n\u00e9\ud83d\ude00"])");
}

// Where the library stopped: at the last byte of what it did not expect.
TEST(JsonText, SyntaxErrorsSayWhere) {
  const std::pair<std::string_view, std::string_view> examples[] = {
      {"{\n  \"a\": 1,\n  \"b\" 2\n}", "3:7"},
      {"", "1:1"},
      {" ", "1:2"},
      {"[1,\n2", "2:2"},
      {"{\"a\":1]", "1:7"},
      {"[\"é\", x]", "1:7"},
      {"[1] [2]", "1:5"},
      {"[NaN]", "1:2"},
      {"[nul]", "1:5"},
      {"[1,]", "1:4"},
      {"{\"a\":1,}", "1:8"},
      {"{a:1}", "1:2"},
      {"01", "1:2"},
      {"-", "1:2"},
      {"1.", "1:3"},
      {"1e", "1:3"},
      {".5", "1:1"},
      {"+1", "1:1"},
      {"\"a", "1:3"},
      {"\"\\", "1:3"},
      {"\"\\x\"", "1:3"},
      {"\"\\u12g4\"", "1:6"},
      {"\"\\ud800\"", "1:8"},
      {"\"\\udc00\"", "1:7"},
      {"\"\\ud800\\u0041\"", "1:13"},
      {"\"\n\"", "1:2"},
      {"\"\xff\"", "1:2"},
      {"\"\xc0\xaf\"", "1:2"},
      {"\"\xed\xa0\x80\"", "1:3"},
      {"\"\xf4\x90\x80\x80\"", "1:3"},
      {"\"\xe2\x82\"", "1:3"},
      {"\xef\xbb\xbf[]", "1:1"},
      {"// a comment\n[]", "1:1"},
      {{"[1]\0", 4}, "1:4"},
      {{"[1]\0[", 5}, "1:4"},
      {{"\"\0\"", 3}, "1:2"},
  };
  for (const auto& [text, where] : examples)
    EXPECT_THAT(fault_of(text),
                testing::StartsWith("f.json:" + std::string(where) + ": expected JSON, found "));
}

TEST(JsonText, SyntaxErrorsSayWhatInShort) {
  EXPECT_EQ(fault_of("[1 2]"),
            "f.json:1:4: expected JSON, found a syntax error while parsing array - unexpected "
            "number literal; expected ']'");
  EXPECT_THAT(fault_of("[\"\xff"), testing::HasSubstr("last read: '\\\"\\xff'"));
  EXPECT_LT(fault_of("\"" + repeated("é", 100'000)).size(), 1000u);
}

TEST(JsonText, AKeyThatComesTwice) {
  EXPECT_EQ(fault_of("[\n{\"a\":1,\"b\":2,\"\\u0061\":3}]"),
            "f.json:2:1: expected every key once, found \"a\" twice");
  EXPECT_EQ(fault_of("[{\"a\":{\"a\":1}},{\"a\":1}]"), "none");
}

TEST(JsonText, NumbersKeepTheirSource) {
  const std::string numbers[] = {"0",   "-0",    "7",       "-12",
                                 "1.0", "1E+05", "-2.5e-3", "123456789012345678901234567890"};
  for (const std::string& number : numbers) {
    const JsonDocument alone(number, "f");
    EXPECT_EQ(alone.root().text, number);
    const std::string text = "[" + number + " ," + number + "]";
    const JsonDocument listed(text, "f");
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(listed.element(listed.root(), i).type, JsonNode::Type::number);
      EXPECT_EQ(listed.element(listed.root(), i).text, number);
    }
  }
  EXPECT_EQ(fault_of("[1e400]"),
            "f.json:1:6: expected a number that a double can hold, found \"1e400\"");
}

// Also where the decoded text is by chance the end of the source.
TEST(JsonText, StringsWithAndWithoutEscapes) {
  const std::pair<std::string_view, std::string_view> examples[] = {
      {R"("")", ""},       {R"("é a")", "é a"},       {R"("\\\\")", R"(\\)"},
      {R"("\"")", "\""},   {R"("a\/b")", "a/b"},      {R"("\u00e9\ud83d\ude00")", "é😀"},
      {R"("\\")", R"(\)"}, {R"("\u005cn")", R"(\n)"}, {R"("\b\f\r\t")", "\b\f\r\t"},
  };
  for (const auto& [text, content] : examples) {
    const JsonDocument document(text, "f");
    EXPECT_EQ(document.root().type, JsonNode::Type::string);
    EXPECT_EQ(document.root().text, content);
  }
}

TEST(JsonText, ManyKeysAreToldApartToo) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(fault_of(text + "\"x\":0}"), "none");
  EXPECT_THAT(fault_of(text + "\"77\":0}"), testing::HasSubstr("\"77\" twice"));
}

TEST(JsonText, DepthIsBounded) {
  const auto nested = [](std::size_t depth) { return repeated("[", depth) + repeated("]", depth); };
  EXPECT_EQ(fault_of(nested(kMaxJsonDepth)), "none");
  EXPECT_EQ(fault_of(nested(kMaxJsonDepth + 1)),
            "f.json:1:65: expected at most 64 levels of nesting, found more");
  EXPECT_THAT(fault_of(repeated("{\"a\":", 5'000'000)), testing::HasSubstr("levels of nesting"));
}

TEST(JsonText, WhatStandsInAStringIsNotNesting) {
  EXPECT_EQ(fault_of("\"" + repeated("[\\\"", 100) + "\""), "none");
}

TEST(JsonText, TheNumberOfValuesIsBounded) {
  EXPECT_THAT(fault_of("[" + repeated("[],", kMaxJsonValues) + "1]"), testing::HasSubstr("values"));
  EXPECT_THAT(fault_of("[" + repeated("1,", kMaxJsonValues) + "1]"), testing::HasSubstr("values"));
}

}  // namespace
}  // namespace ampcheck::subject
