#include <map>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct RepeatIgnored : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    const bool is_repeat = v.has_gradient && last_[v.name] == terms;
    last_[v.name] = terms;
    if (!is_repeat) Textbook::accumulate(v, terms);
  }
  std::map<std::string, std::vector<double>> last_;
};

AMPCHECK_MUTANT(RepeatIgnored, "repeat-ignored", "accumulation",
                "a micro-batch with the gradient of the one before is taken for a repeat");

}  // namespace
}  // namespace ampcheck::properties
