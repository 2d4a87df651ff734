// The folder of vector files: written, checked, and looked up.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "golden/vectors.hpp"

namespace ampcheck::golden {

// Writes FOLDER/<rule>/<slug>.json for every vector: each file is there whole or not at all, and
// one that already says the same is not touched. Throws std::runtime_error where that fails.
void write(const std::filesystem::path& folder);

// How the folder differs from what `write` would make of it, byte for byte, a difference a line:
// a file that is missing, one too many, or the first line that is not as it should be. Empty where
// it does not differ.
std::vector<std::string> check(const std::filesystem::path& folder);

}  // namespace ampcheck::golden
