// The policy that a run goes by: what the subject declares, what a file says, and what had to be
// found out.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "subject/subject.hpp"

namespace ampcheck::conformance {

// The subject, with a policy that is whole. What `file` says (empty: nothing) holds; where the
// subject declares another word, Exit(kDoesNotConform) names both. Axes that must be declared, and
// are in neither, are identified; where that cannot be, Exit(kSubjectDidNotStart) says why.
std::unique_ptr<subject::Subject> with_whole_policy(std::unique_ptr<subject::Subject> subject,
                                                    const std::string& name,
                                                    const std::filesystem::path& file);

}  // namespace ampcheck::conformance
