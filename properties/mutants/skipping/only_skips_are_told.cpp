#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OnlySkipsAreTold : subject::Textbook {
  std::optional<bool> shown_stepped(bool stepped) override {
    return stepped ? std::nullopt : std::optional(stepped);
  }
  std::optional<bool> shown_found_non_finite(const Optimizer& o) override {
    return o.found_non_finite ? std::optional(true) : std::nullopt;
  }
};

AMPCHECK_MUTANT(OnlySkipsAreTold, "only-skips-are-told", "skipping",
                "a step that was taken says nothing");

}  // namespace
}  // namespace ampcheck::properties
