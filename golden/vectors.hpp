// Golden vectors: worked examples as data, each with what the rules say of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/built_in.hpp"
#include "reference/rational.hpp"
#include "subject/case.hpp"

namespace ampcheck::golden {

// A number of the source that no format holds, such as 0.02: the case has its rounded pattern, and
// what is exact is computed with the number itself.
struct Real {
  reference::Rational value;
  const reference::NumberFormat* format = nullptr;

  subject::Scalar scalar() const;
};

// Under which a vector gives its sets: the textbook's policy with some axes changed.
struct NamedPolicy {
  std::string name;
  properties::PolicyChanges changes;
};

// What a known mistake makes of the vector, so that a wrong number can be named.
struct Recipe {
  std::string name;
  std::string sentence;
  std::optional<reference::Rational> gives;  // nothing: NaN
};

// Where the number that the recipes speak of is seen, and what can be said of it.
struct Diagnosis {
  std::size_t step = 0;
  std::string observation;
  std::size_t element = 0;
  const reference::NumberFormat* format = nullptr;
  std::vector<Recipe> recipes;
};

struct Vector {
  std::string id;        // "rule/slug": it never changes and is never used again
  std::string clause;    // by which a run of the vector is judged
  std::string source;    // SC, LS, GA, or a file of facts
  std::string sentence;  // what there is to see
  subject::Case played;
  std::vector<NamedPolicy> policies = {};  // the textbook's comes first, by itself
  std::vector<Real> reals = {};            // behind patterns of the case
  std::vector<std::string> mutants = {};   // built-in subjects that must fail here: "unscale-twice"
  std::optional<Diagnosis> diagnosis = {};  // mistakes that no built-in subject makes
  std::vector<std::pair<std::string, subject::Tensor>> material =
      {};  // what the case was made from
};

// All of them, by id.
const std::vector<Vector>& vectors();
// Null where there is none.
const Vector* find_vector(std::string_view id);

// The file of a vector: canonical JSON, a step, a set or a policy a line.
std::string render(const Vector& vector);

}  // namespace ampcheck::golden
