// The reference's model, driven by the steps of a case.
#pragma once

#include <string>
#include <vector>

#include "reference/training_window.hpp"
#include "subject/case.hpp"
#include "subject/observations.hpp"

namespace ampcheck::properties {

// Plays one step on the model. `answer` may be null; where it is there, the seed, the cotangent and
// the verdict that it shows stand in for those of the model.
void apply(const subject::Step&, const subject::Answer* answer, reference::TrainingWindow& model);

}  // namespace ampcheck::properties
