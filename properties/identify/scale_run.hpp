// What became of the scale in a case of one window after the other.
#pragma once

#include <optional>
#include <vector>

#include "properties/identify/experiment.hpp"
#include "subject/tensor.hpp"

namespace ampcheck::properties::identify {

struct ScaleRun {
  std::vector<subject::Scalar>
      scales;           // that can be used, one an update; seeds where no scale is shown
  bool raised = false;  // an update ended in an error
  bool became_zero = false;
  bool became_infinite = false;  // or NaN

  std::optional<subject::Scalar> last() const;
};

ScaleRun scale_run(const Trial&);

// The trial up to where the scale can no longer be used, of which no policy has a word.
Trial while_usable(Trial);

}  // namespace ampcheck::properties::identify
