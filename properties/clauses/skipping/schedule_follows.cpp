#include "properties/clause.hpp"
#include "properties/generators/gradients.hpp"
#include "properties/generators/shuffle.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

constexpr int kLeast = -7;  // rates are powers of two from here to 1

subject::MakeOptimizer draw_scheduled(Draw& draw, const std::string& name) {
  std::vector<int> exponents;
  for (int e = kLeast; e <= 0; ++e) exponents.push_back(e);
  shuffle(draw, exponents);
  exponents.resize(static_cast<std::size_t>(draw.between(2, 6)));
  subject::MakeOptimizer made;
  made.name = name;
  for (const int e : exponents) made.schedule.push_back(scalar_power_of_two(e, binary32));
  if (draw.coin()) made.hyper = {{"lr", made.schedule.front()}};
  made.parameters = {zeros("of_" + name, 1, binary32)};
  return made;
}

// One to three optimizers with schedules of their own, all rates of one unlike: every step shows
// which rate it had. Four to nine windows of one or two micro-batches, in each of which an
// optimizer may overflow, and now and then one has no part; saved and loaded between, and the scale
// grows and backs off all the time.
Case generate(Draw& draw) {
  std::vector<std::string> known = {"a", "b", "c"};
  known.resize(static_cast<std::size_t>(draw.between(1, 3)));
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(8, 16)), binary32);
  plan.growth_interval = static_cast<int>(draw.between(1, 4));
  CaseBuilder builder;
  builder.scaler(plan);
  for (const std::string& name : known) builder.optimizer(draw_scheduled(draw, name));
  for (std::int64_t windows = draw.between(4, 9); windows > 0; --windows) {
    std::vector<std::string> stepped = known;
    if (stepped.size() > 1 && draw.chance(6))
      stepped.erase(stepped.begin() + draw.between(0, std::ssize(stepped) - 1));
    std::vector<subject::Coefficients> gradients;
    for (const std::string& name : stepped) {
      std::vector<std::uint64_t> bits = draw_integers(draw, 1, 4, -2, binary32);
      if (draw.chance(4)) bits = {draw_non_finite(draw, binary32)};
      gradients.push_back({"of_" + name, vector(std::move(bits), binary32)});
    }
    if (draw.coin()) builder.backward(gradients, false);
    builder.backward(gradients);
    shuffle(draw, stepped);
    for (const std::string& name : stepped) {
      if (draw.chance(4)) builder.unscale(name);
      builder.step(name).observe({"parameter/of_" + name});
    }
    builder.update();
    for (const std::string& name : stepped) builder.zero_grad(name);
    if (draw.chance(4)) builder.save_load();
  }
  return builder.done();
}

AMPCHECK_CLAUSE("skipping/schedule-follows", kParameter, generate);

}  // namespace
}  // namespace ampcheck::properties
