// Implementations that come with the program: mutants, which must be caught, and controls, which
// must not be blamed. Each is one file that registers itself, and a textbook with a few lines
// changed.
//
// A light header, as clause.hpp is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subject/textbook.hpp"

namespace ampcheck::properties {

// Axes of the policy in which a subject differs from the textbook, as words or numbers.
using PolicyChanges = std::vector<std::pair<std::string, subject::PolicyValue>>;

struct BuiltIn {
  enum class Kind { mutant, control };
  Kind kind;
  std::string_view name;         // "unscale-twice"
  std::string_view rule;         // of a mutant: the rule that it breaks
  std::string_view description;  // the mistake, or what the control does
  std::string_view file;         // its source, for `explain`
  PolicyChanges changes;
  std::unique_ptr<subject::Textbook> (*make)();

  subject::Hello hello() const;
  // "mutant:unscale-twice".
  std::string full_name() const;
};

// All of them, mutants first, each kind by name.
const std::vector<BuiltIn>& built_ins();
// The textbook, which is a control, too, and not among them.
BuiltIn textbook_control();
// By its full name; null where there is none.
const BuiltIn* find_built_in(std::string_view full_name);

namespace internal {
bool register_built_in(BuiltIn built_in);
template <typename T>
std::unique_ptr<subject::Textbook> make_textbook() {
  return std::make_unique<T>();
}
}  // namespace internal

inline subject::PolicyValue word(const char* text) { return {text, {}}; }
subject::PolicyValue number(double x);

// At namespace scope of the file of a mutant or control. A mutant, too, may declare a policy, which
// it then misses.
#define AMPCHECK_MUTANT(Class, name, rule, mistake, ...)                                 \
  [[maybe_unused]] const bool registered_##Class =                                       \
      ::ampcheck::properties::internal::register_built_in(                               \
          {::ampcheck::properties::BuiltIn::Kind::mutant, name, rule, mistake, __FILE__, \
           ::ampcheck::properties::PolicyChanges{__VA_ARGS__},                           \
           &::ampcheck::properties::internal::make_textbook<Class>})
#define AMPCHECK_CONTROL(Class, name, description, ...)                                     \
  [[maybe_unused]] const bool registered_##Class =                                          \
      ::ampcheck::properties::internal::register_built_in(                                  \
          {::ampcheck::properties::BuiltIn::Kind::control, name, "", description, __FILE__, \
           __VA_ARGS__, &::ampcheck::properties::internal::make_textbook<Class>})

}  // namespace ampcheck::properties
