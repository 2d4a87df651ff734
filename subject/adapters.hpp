// Short names of subjects: adapters of the Python package that lies in subject/adapters/python.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "subject/child_process.hpp"

namespace ampcheck::subject {

struct Adapter {
  std::string_view name;     // as a user gives it, and as `python -m ampcheck` takes it
  std::string_view library;  // what it judges, in words
};

std::span<const Adapter> adapters();
bool is_adapter(std::string_view name);

// There is no environment for it yet, or no interpreter of the name that the user gave.
struct NoInterpreter : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// How to start an adapter: `python` where it is not empty, else the environment in `checkout`.
// Throws NoInterpreter with one line that says what to do.
Command adapter_command(std::string_view name, const std::filesystem::path& checkout,
                        const std::string& python = "");

// The repository that this program was built from; AMPCHECK_HOME overrides it.
std::filesystem::path checkout_folder();

}  // namespace ampcheck::subject
