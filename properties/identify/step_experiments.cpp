#include "properties/clause.hpp"
#include "properties/identify/experiments.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;
using subject::MakeOptimizer;
using subject::OptimizerKind;

Scalar setting(double x) { return {&binary64, subject::to_bits(x, binary64)}; }

// Two steps, whose gradients are unscaled exactly.
Case two_steps(MakeOptimizer made, const std::vector<std::uint64_t>& initial,
               const std::vector<std::uint64_t>& first, const std::vector<std::uint64_t>& second) {
  made.name = "o";
  made.parameters = {{"w", vector(initial, binary32), ""}};
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(10, binary32);
  CaseBuilder builder;
  builder.scaler(plan).optimizer(std::move(made));
  for (const std::vector<std::uint64_t>* gradient : {&first, &second})
    builder.backward({{"w", vector(*gradient, binary32)}})
        .step("o")
        .observe({"parameter/w"})
        .update()
        .zero_grad("o");
  return builder.done();
}

// Gradients of 1 and of 2^-3.
Case adam_steps(MakeOptimizer made, double epsilon, double decay) {
  made.hyper = {{"lr", setting(0.125)},
                {"beta1", setting(0.875)},
                {"beta2", setting(1023.0 / 1024)},
                {"eps", setting(epsilon)},
                {"weight_decay", setting(decay)}};
  const std::vector<std::uint64_t> gradient = {power_of_two(0, binary32),
                                               power_of_two(-3, binary32)};
  return two_steps(std::move(made), std::vector(2, power_of_two(1, binary32)), gradient, gradient);
}

}  // namespace

std::vector<Experiment> step_experiments() {
  const auto numbers = [](const char* name, int low) {
    return irregular(name, 96, low, low + 2, binary32);
  };
  std::vector<Experiment> all;
  for (const subject::OptimizerForm form : kForms) {
    const std::string suffix = ", form " + std::string(name_of(form));
    MakeOptimizer sgd;
    sgd.form = form;
    sgd.hyper = {{"lr", setting(0.1)}};
    const auto add = [&](const char* what) {
      all.push_back({std::string(what) + suffix,
                     {"step_arithmetic"},
                     two_steps(sgd, numbers("identify/parameter", -1), numbers("identify/d", 0),
                               numbers("identify/d2", 0)),
                     kParameter});
    };
    add("sgd");
    sgd.hyper["weight_decay"] = setting(0.3);
    add("sgd with decay");
    sgd.hyper.erase("weight_decay");
    sgd.hyper["momentum"] = setting(0.7);
    add("sgd with momentum");

    MakeOptimizer adam;
    adam.form = form;
    adam.kind = OptimizerKind::adam;
    all.push_back({"adam, epsilon 1/2" + suffix,
                   {"adam_epsilon", "adam_bias"},
                   adam_steps(adam, 0.5, 0),
                   kParameter});
    all.push_back(
        {"adam, epsilon 2^-60" + suffix, {"adam_bias"}, adam_steps(adam, 0x1p-60, 0), kParameter});
    adam.kind = OptimizerKind::adamw;
    all.push_back({"adamw with decay" + suffix,
                   {"adamw_decay", "adam_epsilon", "adam_bias"},
                   adam_steps(adam, 0.5, 0.25),
                   kParameter});
  }
  return all;
}

}  // namespace ampcheck::properties::identify
