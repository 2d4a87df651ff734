// Printing that never throws. What cannot be written is seen in the stream's state, which main
// looks at before it returns.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace ampcheck::conformance {

inline void write(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
}

template <typename... T>
void print(std::FILE* to, fmt::format_string<T...> format, T&&... values) {
  write(to, fmt::format(format, std::forward<T>(values)...));
}

template <typename... T>
void print(fmt::format_string<T...> format, T&&... values) {
  write(stdout, fmt::format(format, std::forward<T>(values)...));
}

}  // namespace ampcheck::conformance
