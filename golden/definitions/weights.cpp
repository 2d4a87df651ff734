#include "golden/definitions/definitions.hpp"

namespace ampcheck::golden {
namespace {

// Four steps of 2^-12 on 1, where binary16 has an ulp of 2^-10.
Vector small_updates() {
  subject::MakeOptimizer sgd;
  sgd.name = "o";
  sgd.hyper["lr"] = scalar_power_of_two(0, binary64);
  sgd.parameters = {zeros("w", 1, binary16)};
  sgd.parameters.front().initial = integers({1}, binary16);
  sgd.master_weights = true;
  CaseBuilder builder;
  builder.scaler(scale_of_two(4)).optimizer(sgd);
  for (int i = 0; i < 4; ++i) {
    builder.backward({{"w", patterns({dyadic(-1, -12, binary16)}, binary16)}});
    builder.step("o").observe({"master/w", "parameter/w"}).update().zero_grad("o");
  }
  return {.id = "weights/four-updates-add-up",
          .clause = "weights/small-updates-accumulate",
          .source = "MPT",
          .sentence =
              "Updates of 2^-12 are too small for a weight of 1 in binary16, and add up in "
              "its master: the third one moves the copy",
          .played = builder.done(),
          .mutants = {"no-master", "stale-copy"}};
}

}  // namespace

std::vector<Vector> weight_vectors() { return {small_updates()}; }

}  // namespace ampcheck::golden
