#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct OverwriteNotAdd : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    v.has_gradient = false;
    Textbook::accumulate(v, terms);
  }
};

AMPCHECK_MUTANT(OverwriteNotAdd, "overwrite-not-add", "accumulation",
                "keeps the last micro-batch only");

}  // namespace
}  // namespace ampcheck::properties
