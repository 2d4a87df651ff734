// The folder of failing cases: written when a case fails, played first the next time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "properties/verdict.hpp"
#include "subject/case.hpp"

namespace ampcheck::conformance {

class FailureStore {
 public:
  // FOLDER/SUBJECT, the subject's name with everything but letters, digits and dots made a dash.
  FailureStore(const std::filesystem::path& folder, const std::string& subject);

  // The cases of an earlier run, in the order of their names. What is wrong with a file that cannot
  // be played is added to `unusable`.
  std::vector<subject::Case> load(std::vector<std::string>& unusable) const;

  // Writes the shrunk case as an envelope of case and expected, and returns its path.
  std::filesystem::path save(const properties::ClauseReport& report) const;
  // Removes the file of a clause that no longer fails.
  void clear(std::string_view clause) const;

 private:
  std::filesystem::path path_of(std::string_view clause) const;
  std::filesystem::path folder_;
};

// The case of a file that holds a case, or an envelope {"case":…,"expected":…}. Throws
// Exit(kUsage).
subject::Case load_case(const std::filesystem::path& path);

}  // namespace ampcheck::conformance
