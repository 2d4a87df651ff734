#include "golden/definitions/definitions.hpp"

namespace ampcheck::golden {
namespace {

using subject::RecipeKind;

subject::Recipe accumulate(std::int64_t nominal_batch, std::int64_t batch) {
  subject::Recipe recipe;
  recipe.nominal_batch = nominal_batch;
  recipe.batch = batch;
  return recipe;
}

// A trainer that aims at 64 examples: 4 micro-batches of 16, 8 of 8.
Vector micro_batches() {
  CaseBuilder builder;
  for (const auto& [nominal, batch] : {std::pair(64, 16), {64, 8}, {40, 16}, {64, 160}})
    builder.add(accumulate(nominal, batch)).observe({"accumulate"});
  return {.id = "schedule/four-of-16-and-eight-of-8",
          .clause = "schedule/accumulate-from-nominal-batch",
          .source = "GA",
          .sentence =
              "A nominal batch of 64 is 4 micro-batches of 16 or 8 of 8; 40 are 2 of 16, "
              "halves going to the even number, and one micro-batch is the least",
          .played = builder.done(),
          .mutants = {"recipe-rounds-half-up", "recipe-of-no-micro-batch"}};
}

Vector decay() {
  subject::Recipe recipe = accumulate(64, 128);
  recipe.kind = RecipeKind::weight_decay;
  recipe.weight_decay = scalar_power_of_two(-11, binary64);
  CaseBuilder builder;
  builder.add(recipe).observe({"weight_decay"});
  return {.id = "schedule/decay-of-128-in-64",
          .clause = "schedule/weight-decay-scaled",
          .source = "GA",
          .sentence =
              "A micro-batch of 128 stands for a nominal batch of 64: the weight decay is doubled",
          .played = builder.done(),
          .mutants = {"decay-not-scaled"}};
}

// Goyal et al. 2017: 256 images to 8192, the rate reached by a warm-up.
Vector rate() {
  CaseBuilder builder;
  for (const std::int64_t step : {0, 2, 4, 5}) {
    subject::Recipe recipe;
    recipe.kind = RecipeKind::linear_lr;
    recipe.base_batch = 256;
    recipe.batch = 8192;
    recipe.lr = scalar_power_of_two(-3, binary64);
    recipe.warm_up = 4;
    recipe.step = step;
    builder.add(recipe).observe({"learning_rate"});
  }
  return {.id = "schedule/32-times-the-rate",
          .clause = "schedule/linear-lr",
          .source = "GA",
          .sentence =
              "From 256 to 8192 examples the learning rate grows 32 times, 1/8 to 4, half of "
              "the way in the middle of its warm-up",
          .played = builder.done(),
          .mutants = {"rate-not-scaled", "rate-by-the-root"}};
}

}  // namespace

std::vector<Vector> schedule_vectors() { return {micro_batches(), decay(), rate()}; }

}  // namespace ampcheck::golden
