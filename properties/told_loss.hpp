// The loss that a subject tells its user, beside what it may be.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/admissible.hpp"
#include "reference/policy.hpp"
#include "subject/case.hpp"

namespace ampcheck::properties {

struct ToldLoss {
  // As it was shown, or rounded to the format of the set where a wider one was shown: a sum that
  // was taken in it is no less right.
  subject::Scalar shown;
  // Of several sets the one that holds it, else the first.
  reference::Admissible expected;
};

// Of a step that tells one, under one of these scales; of any other nothing.
std::optional<ToldLoss> told_loss(const subject::Step&, const subject::Scalar& shown,
                                  const std::vector<reference::Rational>& scales,
                                  const reference::Policy&);

// There is no loss to tell: no token of the window counts.
bool has_no_loss(const subject::Step&);

}  // namespace ampcheck::properties
