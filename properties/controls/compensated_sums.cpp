#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct CompensatedSums : subject::Textbook {
  void accumulate(Variable& v, const std::vector<double>& terms) override {
    if (!v.has_gradient) lost_[v.name].assign(terms.size(), 0.0);
    const std::vector<double> before = v.has_gradient ? v.gradient.values : lost_[v.name];
    std::vector<double>& lost = lost_[v.name];
    std::vector<double> added = terms;
    for (std::size_t i = 0; i < terms.size(); ++i)
      added[i] = subject::narrow(terms[i] - lost[i], *v.gradient.format);
    Textbook::accumulate(v, added);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const double moved = subject::narrow(v.gradient.values[i] - before[i], *v.gradient.format);
      lost[i] = std::isfinite(moved) ? subject::narrow(moved - added[i], *v.gradient.format) : 0;
    }
  }
  std::map<std::string, std::vector<double>> lost_;
};

AMPCHECK_CONTROL(CompensatedSums, "compensated-sums",
                 "Kahan's compensated summation of micro-batches", {});

}  // namespace
}  // namespace ampcheck::properties
