#include "properties/built_in.hpp"
#include "properties/mutants/knows_that_it_counts.hpp"

namespace ampcheck::properties {
namespace {

struct GradientAtIgnored : KnowsThatItCounts {
  bool is_counted(std::int64_t label, std::int64_t ignore_index) override {
    return !counting_ || Textbook::is_counted(label, ignore_index);
  }
};

AMPCHECK_MUTANT(GradientAtIgnored, "gradient-at-ignored", "tokens",
                "ignored tokens do not count, but have a gradient");

}  // namespace
}  // namespace ampcheck::properties
