#include "subject/json_text.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
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

TEST(JsonText, SyntaxErrorsSayWhere) {
  const std::pair<std::string_view, std::string_view> examples[] = {
      {"{\n  \"a\": 1,\n  \"b\" 2\n}", "3:7: expected \":\", found \"2\""},
      {"", "1:1: expected a value, found the end"},
      {"[1,\n2", "2:2: expected \",\" or \"]\", found the end"},
      {"{\"a\":1]", "1:7: expected \",\" or \"}\", found \"]\""},
      {"[\"é\", x]", "1:7: expected a value, found \"x\""},
      {"[1] [2]", "1:5: expected the end, found \"[\""},
      {"[NaN]", "1:2: expected a value, found \"NaN\""},
      {"[nul]", "1:2: expected a value, found \"nul\""},
      {"[1,]", "1:4: expected a value, found \"]\""},
      {"{\"a\":1,}", "1:8: expected a key, found \"}\""},
      {"{a:1}", "1:2: expected a key, found \"a\""},
      {"01", "1:2: expected the end, found \"1\""},
      {"-", "1:2: expected a digit, found the end"},
      {"1.", "1:3: expected a digit, found the end"},
      {"1e", "1:3: expected a digit, found the end"},
      {".5", "1:1: expected a value, found \".5\""},
      {"+1", "1:1: expected a value, found \"+1\""},
      {"\"a", "1:3: expected the end of a string, found the end"},
      {"\"\\", "1:3: expected an escape, found the end"},
      {"\"\\x\"", "1:3: expected an escape, found \"x\\\"\""},
      {"\"\\u12g4\"", "1:6: expected four hexadecimal digits, found \"g4\\\"\""},
      {"\"\\ud800\"", "1:4: expected a pair of surrogates, found one alone"},
      {"\"\\udc00\"", "1:4: expected a pair of surrogates, found one alone"},
      {"\"\\ud800\\u0041\"", "1:4: expected a pair of surrogates, found one alone"},
      {"\"\n\"", "1:2: expected a character, or its escape, found the byte 0x0a"},
      {"\"\xff\"", "1:2: expected UTF-8, found the byte 0xff"},
      {"\"\xc0\xaf\"", "1:2: expected UTF-8, found the byte 0xc0"},
      {"\"\xed\xa0\x80\"", "1:2: expected UTF-8, found the byte 0xed"},
      {"\"\xf4\x90\x80\x80\"", "1:2: expected UTF-8, found the byte 0xf4"},
      {"\"\xe2\x82\"", "1:2: expected UTF-8, found the byte 0xe2"},
      {"{\"a\":1,\"b\":2,\"\\u0061\":3}", "1:1: expected every key once, found \"a\" twice"},
  };
  for (const auto& [text, fault] : examples)
    EXPECT_EQ(fault_of(text), "f.json:" + std::string(fault));
}

TEST(JsonText, ManyKeysAreToldApartToo) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(fault_of(text + "\"x\":0}"), "none");
  EXPECT_THAT(fault_of(text + "\"77\":0}"), testing::HasSubstr("\"77\" twice"));
}

// Numbers that no double holds are none of its business: here they stay text.
bool another_takes(const std::string& text) {
  try {
    [[maybe_unused]] const auto document = nlohmann::json::parse(text);
  } catch (const nlohmann::json::out_of_range&) {
  } catch (const nlohmann::json::parse_error&) {
    return false;
  }
  return true;
}

// What it takes and refuses is what another parser does.
TEST(JsonText, AnotherParserAgrees) {
  const std::string alphabet = "[]{}:,\"\\u0019aeE.+- \n\tntrue\xc3\xa9\xed\xa0";
  std::uint32_t random = 1;
  const auto next = [&](std::size_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % below;
  };
  const std::string seeds[] = {
      R"({"a":[1,-0.5e+1,true,false,null],"b\u00e9\n":{"c":"\ud83d\ude00é"}})",
      "[0,10,1e5,\"\",[],{}]"};
  int good = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text = seeds[next(2)];
    for (std::size_t changes = 1 + next(2); changes > 0; --changes) {
      const std::size_t at = next(text.size());
      if (next(3) == 0)
        text.erase(at, 1);
      else if (next(2) == 0)
        text[at] = alphabet[next(alphabet.size())];
      else
        text.insert(at, 1, alphabet[next(alphabet.size())]);
    }
    const std::string fault = fault_of(text);
    if (fault.find(" twice") != std::string::npos) continue;
    const bool taken = another_takes(text);
    ASSERT_EQ(fault == "none", taken) << text << "\n" << fault;
    good += taken;
  }
  EXPECT_GT(good, 2000);
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
