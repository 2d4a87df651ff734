#include "subject/base64.hpp"

#include <gtest/gtest.h>

namespace ampcheck::subject {
namespace {

TEST(Base64, ExamplesOfRfc4648) {
  const std::pair<std::string_view, std::string_view> examples[] = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(encode_base64(bytes), text);
    EXPECT_EQ(decode_base64(text), bytes);
  }
}

TEST(Base64, EveryByteComesBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t length = 0; length <= bytes.size(); ++length)
    EXPECT_EQ(decode_base64(encode_base64(bytes.substr(0, length))), bytes.substr(0, length));
}

TEST(Base64, WhatIsNotCanonicalIsRefused) {
  for (const std::string_view text :
       {"Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm 9", "Zm9v\n", "=Zg=", "Zg==Zg=="})
    EXPECT_EQ(decode_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace ampcheck::subject
