#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct SecondVectorOfAdam : subject::Textbook {
  void adam(const Optimizer& o, Variable& v) override {
    const std::vector<double> before = v.value.values;
    Textbook::adam(o, v);
    std::vector<double>& p = v.value.values;
    for (std::size_t i = 8; i < p.size(); ++i) p[i] = before[i] + p[i % 8] - before[i % 8];
  }
};

AMPCHECK_MUTANT(SecondVectorOfAdam, "second-vector-of-adam", "skipping",
                "beyond 8 elements Adam takes the updates of the first 8 once more");

}  // namespace
}  // namespace ampcheck::properties
