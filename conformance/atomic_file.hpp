// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ampcheck::conformance {

// Writes a temporary file beside the target and renames it. Makes missing folders. Throws
// Exit(kUsage) with the file's name where that fails.
void write_file(const std::filesystem::path& path, std::string_view text);

// Throws Exit(kUsage) where the file cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace ampcheck::conformance
