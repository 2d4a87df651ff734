// From a name on the command line to a subject.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "subject/subject.hpp"

namespace ampcheck::conformance {

struct SubjectOptions {
  std::string python;              // interpreter for adapters; empty: the adapter's own environment
  std::filesystem::path recorder;  // every message of a process, both ways; empty: none
};

// textbook, mutant:NAME, control:NAME, process:COMMAND, device:gpu, or the short name of an
// adapter. Throws Exit: an unknown name (2), a subject that does not start, or that declares what
// cannot be (3), an absent device (4).
std::unique_ptr<subject::Subject> open_subject(const std::string& name,
                                               const SubjectOptions& options);

// One line that names everything open_subject takes.
std::string known_subjects();

}  // namespace ampcheck::conformance
