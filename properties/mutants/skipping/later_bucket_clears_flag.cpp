#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LaterBucketClearsFlag : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    return !variables.empty() && Textbook::non_finite({variables.back()});
  }
};

AMPCHECK_MUTANT(LaterBucketClearsFlag, "later-bucket-clears-flag", "skipping",
                "a finite tensor overwrites the verdict on those before it");

}  // namespace
}  // namespace ampcheck::properties
