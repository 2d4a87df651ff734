#include "properties/built_in.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

std::vector<BuiltIn>& registry() {
  static std::vector<BuiltIn> all;
  return all;
}

}  // namespace

subject::PolicyValue number(double x) {
  return {"", {&reference::binary64, subject::to_bits(x, reference::binary64)}};
}

bool internal::register_built_in(BuiltIn built_in) {
  std::vector<BuiltIn>& all = registry();
  const auto key = [](const BuiltIn& b) { return std::tuple(b.kind, b.name); };
  const auto place =
      std::lower_bound(all.begin(), all.end(), built_in,
                       [&](const BuiltIn& a, const BuiltIn& b) { return key(a) < key(b); });
  if (place != all.end() && key(*place) == key(built_in))
    throw std::logic_error("two built-in subjects " + built_in.full_name());
  all.insert(place, std::move(built_in));
  return true;
}

const std::vector<BuiltIn>& built_ins() { return registry(); }

const BuiltIn* find_built_in(std::string_view full_name) {
  for (const BuiltIn& one : built_ins())
    if (one.full_name() == full_name) return &one;
  return nullptr;
}

BuiltIn textbook_control() {
  return {BuiltIn::Kind::control,
          "textbook",
          "",
          "",
          "",
          {},
          &internal::make_textbook<subject::Textbook>};
}

std::string BuiltIn::full_name() const {
  return (kind == Kind::mutant ? "mutant:" : "control:") + std::string(name);
}

subject::Hello BuiltIn::hello() const {
  subject::Hello hello = subject::Textbook::hello();
  hello.name = full_name();
  for (const auto& [axis, value] : changes) hello.policy.declared[axis] = value;
  return hello;
}

}  // namespace ampcheck::properties
