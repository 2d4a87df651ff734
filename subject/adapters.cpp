#include "subject/adapters.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace ampcheck::subject {
namespace {

constexpr Adapter kAdapters[] = {
    {"torch", "torch.amp and torch.optim"},
};

bool is_program(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(path) && access(path.c_str(), X_OK) == 0;
}

// Whether a shell would find it: a path, or a name in PATH.
bool is_command(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name);
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable == nullptr ? "" : variable;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    if (is_program(std::filesystem::path(folders.substr(0, end)) / name)) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

}  // namespace

std::span<const Adapter> adapters() { return kAdapters; }

bool is_adapter(std::string_view name) {
  return std::ranges::any_of(kAdapters, [&](const Adapter& one) { return one.name == name; });
}

Command adapter_command(std::string_view name, const std::filesystem::path& checkout,
                        const std::string& python) {
  std::string interpreter = python;
  if (interpreter.empty()) {
    const std::filesystem::path own =
        checkout / "build" / "adapters" / std::string(name) / "bin" / "python";
    if (!is_program(own))
      throw NoInterpreter(
          fmt::format("{} has no Python environment yet: run ./dev adapter {}, or name an "
                      "interpreter with --python",
                      name, name));
    interpreter = own.string();
  } else if (!is_command(interpreter)) {
    throw NoInterpreter(fmt::format("--python {}: there is no such program", interpreter));
  }
  const std::filesystem::path package = checkout / "subject" / "adapters" / "python";
  std::string path = package.string();
  if (const char* others = std::getenv("PYTHONPATH"); others != nullptr && *others != '\0')
    path += fmt::format(":{}", others);
  return {{interpreter, "-m", "ampcheck", std::string(name)}, "", {{"PYTHONPATH", path}}};
}

std::filesystem::path checkout_folder() {
  const char* home = std::getenv("AMPCHECK_HOME");
  return home != nullptr && *home != '\0' ? home : AMPCHECK_SOURCE_FOLDER;
}

}  // namespace ampcheck::subject
