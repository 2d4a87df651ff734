#include "properties/embedded.hpp"

namespace ampcheck::properties {

std::string_view embedded_text(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (path.ends_with(file.name)) return file.text;
  return {};
}

}  // namespace ampcheck::properties
