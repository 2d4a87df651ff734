#include <fmt/format.h>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/output.hpp"
#include "golden/golden.hpp"
#include "subject/adapters.hpp"

namespace ampcheck::conformance {

int golden_command(const GoldenOptions& options) {
  const std::filesystem::path where =
      options.folder.empty() ? subject::checkout_folder() / "golden" / "vectors" : options.folder;
  const std::string folder = where.string();
  if (options.write) {
    try {
      golden::write(where);
    } catch (const std::runtime_error& error) {
      throw Exit(kUsage, error.what());
    }
    print("{} vectors in {}\n", golden::vectors().size(), folder);
    return kConforms;
  }
  std::vector<std::string> differences;
  try {
    if (!std::filesystem::is_directory(where)) throw Exit(kUsage, folder + ": no such folder");
    differences = golden::check(where);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Exit(kUsage, error.what());
  }
  for (const std::string& difference : differences) print("{}\n", difference);
  print("{} vectors in {}, {} differences\n", golden::vectors().size(), folder, differences.size());
  return differences.empty() ? kConforms : kDoesNotConform;
}

}  // namespace ampcheck::conformance
