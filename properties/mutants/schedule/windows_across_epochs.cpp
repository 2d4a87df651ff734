#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct WindowsAcrossEpochs : subject::Textbook {
  std::vector<std::int64_t> window_ends(const subject::Recipe& r) override {
    subject::Recipe one = r;
    one.micro_batches *= r.epochs;
    one.epochs = 1;
    return Textbook::window_ends(one);
  }
};

AMPCHECK_MUTANT(WindowsAcrossEpochs, "windows-across-epochs", "schedule",
                "a window that an epoch leaves unfinished goes on in the next one");

}  // namespace
}  // namespace ampcheck::properties
