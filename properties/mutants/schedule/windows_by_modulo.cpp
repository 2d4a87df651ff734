#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WindowsByModulo : subject::Textbook {
  std::vector<std::int64_t> window_ends(const subject::Recipe& r) override {
    std::vector<std::int64_t> ends;
    for (std::int64_t i = 0; i < r.micro_batches * r.epochs; ++i)
      if ((i + 1) % warm_up_micro_batches(r, i) == 0 || (i + 1) % r.micro_batches == 0)
        ends.push_back(i);
    return ends;
  }
};

AMPCHECK_MUTANT(WindowsByModulo, "windows-by-modulo", "schedule",
                "a window ends wherever the index is a multiple, so that the ramp cuts windows");

}  // namespace
}  // namespace ampcheck::properties
