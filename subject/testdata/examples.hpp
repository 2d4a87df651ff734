// Cases and answers for tests: together they hold every kind of step and of observation.
#pragma once

#include "subject/case.hpp"
#include "subject/hello.hpp"
#include "subject/observations.hpp"

namespace ampcheck::subject::examples {

inline Scalar f32(std::uint64_t bits) { return {&reference::binary32, bits}; }

inline Tensor tensor(const NumberFormat& format, std::vector<std::int64_t> shape,
                     std::vector<std::uint64_t> bits) {
  return {&format, std::move(shape), std::move(bits)};
}

inline Tensor counting(const NumberFormat& format, std::int64_t elements) {
  Tensor made{&format, {elements}, {}};
  const std::uint64_t mask = format.sign_bit() | format.magnitude_mask();
  for (std::int64_t i = 0; i < elements; ++i)
    made.bits.push_back((static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u) & mask);
  return made;
}

inline Case every_step() {
  using namespace reference;
  const Tensor w = tensor(binary16, {2, 2}, {0x3c00, 0x0001, 0xfc00, 0x8000});
  TokenMicroBatch tokens{{0, -100},
                         {1, std::int64_t{1} << 54},
                         tensor(binary32, {2}, {0x3f800000, 0x7fc00001}),
                         tensor(bfloat16, {2, 1}, {0x3f80, 0xff80})};
  Case made{"scaling/linear-17", "scaling/linear", std::uint64_t{1} << 60, 1, {}};
  auto& steps = made.steps;
  steps.push_back({MakeScaler{f32(0x47800000), f32(0x40000000), f32(0x3f000000), 2000, true},
                   {"scale", "growth_count"}});
  steps.push_back(
      {MakeOptimizer{"a",
                     OptimizerKind::sgd,
                     OptimizerForm::foreach,
                     {{"lr", {&binary64, 0x3fe0000000000000}}},
                     {{"w", w, ""}, {"tail/\"odd\"\n\x01 é", counting(binary32, 300), ""}}},
       {"parameter/w"}});
  steps.push_back({MakeOptimizer{"b",
                                 OptimizerKind::adamw,
                                 OptimizerForm::fused,
                                 {{"beta1", f32(0)}, {"beta2", f32(0)}, {"eps", f32(1)}},
                                 {{"v", {}, "w"}}},
                   {"state/w/exp_avg"}});
  steps.push_back({Backward{f32(0x80000000), {{"w", w}}, 3, false, true},
                   {"seed", "cotangent", "loss", "gradient/w"}});
  steps.push_back({TokenWindow{"w", -1, Reducer::sum, {{tokens}, {}}, {}, 0}, {"loss"}});
  steps.push_back({Unscale{"a"}, {"found_non_finite"}});
  steps.push_back({ClipNorm{{"a", "b"}, f32(0x3f800000), f32(0x7f800000)}, {"norm"}});
  steps.push_back({ClipValue{{"a"}, {&float8_e4m3fn, 0x7e}}, {}});
  steps.push_back({TakeStep{"a"}, {"stepped"}});
  steps.push_back({Update{}, {}});
  steps.push_back({ZeroGrad{"a", false}, {}});
  steps.push_back({SaveLoad{}, {}});
  steps.push_back({Observe{}, {"scale"}});
  Recipe recipe;
  recipe.kind = RecipeKind::warm_up;
  recipe.nominal_batch = 64;
  recipe.batch = 16;
  recipe.warm_up = 10;
  recipe.micro_batches = 7;
  recipe.epochs = 3;
  steps.push_back({recipe, {"window_ends"}});
  return made;
}

// Answers to every_step().
inline std::vector<Answer> every_answer() {
  using namespace reference;
  using Kind = Answer::Kind;
  const auto shown = [](Unit unit) {
    return Observation{ObservedTensor{tensor(binary16, {2, 2}, {1, 2, 3, 0xffff}), unit}};
  };
  const ObservedTensor nothing{{}, Unit::cleared};
  std::vector<Answer> made(14);
  made[0].observed = {{"scale", {Scalar{&binary64, 0x40f0000000000000}}},
                      {"growth_count", {std::int64_t{-1} - (std::int64_t{1} << 53)}}};
  made[1].observed = {{"parameter/w", {ObservedTensor{counting(bfloat16, 256), Unit::none}}}};
  made[2].observed = {{"state/w/exp_avg", {Null{}}}};
  made[3].observed = {
      {"seed", {f32(1)}}, {"cotangent", {f32(2)}}, {"loss", {f32(3)}}, {"gradient/w", {nothing}}};
  made[3].by_adapter = true;
  made[4] = {Kind::unsupported, "no \"tokens\" here", -1, false, {}};
  made[5] = {Kind::with, "", 8, false, {{"found_non_finite", {true}}}};
  made[6] = {Kind::raised, "ValueError: a: b", -1, false, {}};
  made[8].observed = {{"stepped", {false}}};
  made[13].observed = {{"window_ends", {Integers{{0, 2, -1}}}}};
  made[12].observed = {{"scale", {f32(0)}}};
  made[3].observed["gradient/w"] = shown(Unit::scaled);
  return made;
}

inline Hello every_hello() {
  using namespace reference;
  Hello made{
      "torch", "2.13", "python", {"scaler", "own_product"}, {"clip_value"}, {"_x"}, {}, {}, {}, {},
      {},      {},     30};
  made.formats = {{"loss", {&binary32}}, {"step/fused", {&binary16, &float8_e5m2}}};
  made.forms = {{"sgd", {"loop", "fused"}}};
  made.norms = {f32(0x3f800000), f32(0x7f800000)};
  made.profiles = {"scaler", "loop"};
  made.policy.declared = {{"unscale", {"division", {}}},
                          {"clip_epsilon", {"", f32(0x358637bd)}},
                          {"floor", {"", f32(1)}},
                          {"ceiling", {"none", {}}}};
  made.limits = {f32(1), f32(2), true, 3, 4, false};
  return made;
}

}  // namespace ampcheck::subject::examples
