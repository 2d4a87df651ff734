#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct PIgnored : subject::Textbook {
  double p_norm(const std::vector<Variable*>& variables, double) override {
    return norm(variables);
  }
};

AMPCHECK_MUTANT(PIgnored, "p-ignored", "clipping", "the norm is Euclidean whatever p");

}  // namespace
}  // namespace ampcheck::properties
