// Files of this folder whose text is part of the program: the catalogue, and the sources of mutants
// and controls, which `explain` shows.
#pragma once

#include <span>
#include <string_view>

namespace ampcheck::properties {

struct EmbeddedFile {
  std::string_view name;  // relative to properties/
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

// The file whose name a path ends with; empty where there is none.
std::string_view embedded_text(std::string_view path);

}  // namespace ampcheck::properties
