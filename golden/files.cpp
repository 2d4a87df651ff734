#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "golden/golden.hpp"

namespace ampcheck::golden {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + ": cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// A temporary file beside the target, renamed: nobody ever sees half of it.
void write_whole(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path temporary = path.string() + ".tmp" + std::to_string(getpid());
  std::ofstream out(temporary, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) fs::rename(temporary, path, error);
  if (out && !error) return;
  const std::string why = error ? error.message() : "cannot be written";
  fs::remove(temporary, error);
  throw std::runtime_error(path.string() + ": " + why);
}

std::string file_of(const Vector& vector) { return vector.id + ".json"; }

// "line 3: «found» in the place of «wanted»".
std::string first_difference(const std::string& found, const std::string& wanted) {
  std::istringstream a(found), b(wanted);
  std::string one, other;
  for (std::size_t line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(a, one));
    const bool wanted_more = static_cast<bool>(std::getline(b, other));
    if (!more && !wanted_more) return "the end of the last line";
    if (more && wanted_more && one == other) continue;
    const auto shown = [](bool there, const std::string& text) {
      return there ? "\"" + text.substr(0, 160) + (text.size() > 160 ? "…" : "") + "\"" : "the end";
    };
    return "line " + std::to_string(line) + ": " + shown(more, one) + " in the place of " +
           shown(wanted_more, other);
  }
}

}  // namespace

void write(const fs::path& folder) {
  for (const Vector& vector : vectors()) {
    const fs::path path = folder / file_of(vector);
    const std::string text = render(vector);
    if (!fs::exists(path) || read(path) != text) write_whole(path, text);
  }
}

std::vector<std::string> check(const fs::path& folder) {
  std::vector<std::string> differences;
  std::set<std::string> wanted;
  for (const Vector& vector : vectors()) {
    const std::string name = file_of(vector);
    wanted.insert(name);
    if (!fs::is_regular_file(folder / name)) {
      differences.push_back(name + ": missing");
      continue;
    }
    const std::string found = read(folder / name), text = render(vector);
    if (found != text) differences.push_back(name + ": " + first_difference(found, text));
  }
  if (fs::is_directory(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = fs::relative(entry.path(), folder).generic_string();
      if (!entry.is_directory() && !wanted.contains(name))
        differences.push_back(name + ": no vector of this name");
    }
  std::sort(differences.begin(), differences.end());
  return differences;
}

}  // namespace ampcheck::golden
