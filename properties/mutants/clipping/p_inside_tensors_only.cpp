#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct PInsideTensorsOnly : subject::Textbook {
  double p_norm(const std::vector<Variable*>& variables, double p) override {
    double sum = 0;
    for (Variable* v : variables) sum += std::pow(Textbook::p_norm({v}, p), 2);
    return subject::narrow(std::sqrt(sum), reference::binary32);
  }
};

AMPCHECK_MUTANT(PInsideTensorsOnly, "p-inside-tensors-only", "clipping",
                "the tensors' p-norms are taken together by a Euclidean norm");

}  // namespace
}  // namespace ampcheck::properties
