#include "subject/names.hpp"

namespace ampcheck::subject {
namespace {

// "PREFIX" and at least one character.
bool starts_a_name(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix);
}

}  // namespace

Shown shown_by(std::string_view name) {
  for (const std::string_view scalar :
       {"seed", "cotangent", "loss", "scale", "norm", "weight_decay", "learning_rate"})
    if (name == scalar) return Shown::scalar;
  if (name == "growth_count" || name == "accumulate") return Shown::integer;
  if (name == "window_ends") return Shown::integers;
  if (name == "found_non_finite" || name == "stepped") return Shown::boolean;
  if (starts_a_name(name, "gradient/")) return Shown::gradient;
  if (starts_a_name(name, "parameter/") || starts_a_name(name, "master/")) return Shown::tensor;
  // state/P/SLOT: a parameter's name may hold a slash, the slot's may not.
  if (starts_a_name(name, "state/")) {
    const std::size_t slash = name.rfind('/');
    if (slash > std::string_view("state/").size() && slash + 1 < name.size()) return Shown::tensor;
  }
  return Shown::nothing_known;
}

}  // namespace ampcheck::subject
