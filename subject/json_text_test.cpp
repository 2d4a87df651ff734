#include "subject/json_text.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "subject/malformed_json.hpp"

namespace ampcheck::subject {
namespace {

std::string fault_of(std::string_view text) {
  try {
    parse_document(text, "f.json");
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
  EXPECT_EQ(parse_document(" [1, {\"a\": null}]\n", "f").dump(), "[1,{\"a\":null}]");
}

TEST(JsonText, SyntaxErrorsSayWhere) {
  EXPECT_THAT(fault_of("{\n  \"a\": 1,\n  \"b\" 2\n}"),
              testing::StartsWith("f.json:3:7: expected JSON, found unexpected number literal"));
  EXPECT_THAT(fault_of(""), testing::StartsWith("f.json:1:1: expected JSON, found "));
  EXPECT_THAT(fault_of("[1,\n2"), testing::StartsWith("f.json:2:2: expected JSON, found "));
  EXPECT_THAT(fault_of("[\"é\", x]"), testing::StartsWith("f.json:1:7: expected JSON, found "));
  EXPECT_THAT(fault_of("\"\xff\""), testing::HasSubstr("invalid string"));
  EXPECT_THAT(fault_of("[1] [2]"), testing::StartsWith("f.json:1:5: "));
  EXPECT_THAT(fault_of("1e999"), testing::StartsWith("f.json"));
  EXPECT_THAT(fault_of("[NaN]"), testing::StartsWith("f.json:1:2: "));
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

TEST(JsonText, TheNumberOfNodesIsBounded) {
  EXPECT_THAT(fault_of("[" + repeated("[],", kMaxJsonContainers) + "1]"),
              testing::HasSubstr("arrays and objects"));
  EXPECT_THAT(fault_of("[" + repeated("1,", kMaxJsonValues + 1) + "1]"),
              testing::HasSubstr("values"));
}

}  // namespace
}  // namespace ampcheck::subject
