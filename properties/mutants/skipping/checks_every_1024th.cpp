#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct ChecksEvery1024th : subject::Textbook {
  bool non_finite(const std::vector<Variable*>& variables) override {
    for (const Variable* v : variables)
      for (std::size_t i = 0; i < v->gradient.values.size(); i += 1024)
        if (is_bad(v->gradient.values[i])) return true;
    return false;
  }
};

AMPCHECK_MUTANT(ChecksEvery1024th, "checks-every-1024th", "skipping",
                "looks at every 1024th element only");

}  // namespace
}  // namespace ampcheck::properties
