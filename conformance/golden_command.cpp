#include <fmt/format.h>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "golden/golden.hpp"

namespace ampcheck::conformance {

int golden_command(const GoldenOptions& options) {
  const std::string folder = options.folder.string();
  if (options.write) {
    try {
      golden::write(options.folder);
    } catch (const std::runtime_error& error) {
      throw Exit(kUsage, error.what());
    }
    fmt::print("{} vectors in {}\n", golden::vectors().size(), folder);
    return kConforms;
  }
  if (!std::filesystem::is_directory(options.folder))
    throw Exit(kUsage, folder + ": no such folder; name one, or run this in the repository");
  const std::vector<std::string> differences = golden::check(options.folder);
  for (const std::string& difference : differences) fmt::print("{}\n", difference);
  fmt::print("{} vectors in {}, {} differences\n", golden::vectors().size(), folder,
             differences.size());
  return differences.empty() ? kConforms : kDoesNotConform;
}

}  // namespace ampcheck::conformance
