// The policy that a run goes by: what the subject declares, what a file says, and what had to be
// found out.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "subject/with_policy.hpp"

namespace ampcheck::conformance {

struct WithWholePolicy {
  std::unique_ptr<subject::WithPolicy> subject;
  // Of axes that were identified, words that explained everything, too, and admit more; none where
  // no word does. A few designed cases may not have parted them, and who declares neither must not
  // be blamed for that.
  std::optional<subject::Policy> wider;
};

// The subject, with a policy that is whole. What `file` says (empty: nothing) holds; where the
// subject declares another word, Exit(kDoesNotConform) names both. Axes that must be declared, and
// are in neither, are identified; where that cannot be, Exit(kSubjectDidNotStart) says why.
WithWholePolicy with_whole_policy(std::unique_ptr<subject::Subject> subject,
                                  const std::string& name, const std::filesystem::path& file);

}  // namespace ampcheck::conformance
