#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LastWindowLost : subject::Textbook {
  std::vector<std::int64_t> window_ends(const subject::Recipe& r) override {
    std::vector<std::int64_t> ends = Textbook::window_ends(r), whole;
    std::int64_t before = -1;
    for (const std::int64_t end : ends) {
      if (end - before >= warm_up_micro_batches(r, end)) whole.push_back(end);
      before = end;
    }
    return whole;
  }
};

AMPCHECK_MUTANT(LastWindowLost, "last-window-lost", "schedule",
                "the short window at the end of an epoch is dropped");

}  // namespace
}  // namespace ampcheck::properties
