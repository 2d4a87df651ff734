#include "conformance/atomic_file.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <system_error>

#include "conformance/exit_code.hpp"

namespace ampcheck::conformance {

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  const fs::path temporary = path.string() + ".tmp" + std::to_string(getpid());
  {
    std::ofstream out(temporary, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      fs::remove(temporary, error);
      throw Exit(kUsage, path.string() + ": cannot be written");
    }
  }
  fs::rename(temporary, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw Exit(kUsage, path.string() + ": " + error.message());
  }
}

std::string read_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw Exit(kUsage, path.string() + ": is a folder");
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    throw Exit(kUsage, path.string() + ": is no regular file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Exit(kUsage, path.string() + ": cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace ampcheck::conformance
