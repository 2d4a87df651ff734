#include "properties/clause.hpp"
#include "properties/generators/masters.hpp"
#include "properties/generators/shares.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

constexpr int kBelow = 3;  // updates are counted in eighths of an ulp: ties are among them

struct MasterTensor {
  std::string name;
  const NumberFormat* format;
  std::vector<MasterElement> elements;
};

// Coefficients that add up to one gradient over so many micro-batches, each a part of either sign.
std::vector<Tensor> draw_parts(Draw& draw, const MasterTensor& tensor, std::int64_t most,
                               std::int64_t number) {
  std::vector<std::vector<std::uint64_t>> parts(static_cast<std::size_t>(number));
  for (const MasterElement& element : tensor.elements) {
    std::int64_t left = draw.between(1, most);
    for (std::size_t m = 0; m < parts.size(); ++m) {
      const std::int64_t part = m + 1 == parts.size() ? left : draw.between(-8, 8);
      parts[m].push_back(part == 0 ? 0 : gradient_of(element, part, *tensor.format));
      left -= part;
    }
  }
  std::vector<Tensor> result;
  for (std::vector<std::uint64_t>& part : parts)
    result.push_back(vector(std::move(part), *tensor.format));
  return result;
}

// Three to six windows of one to three tensors of short formats, some with an inf or NaN, some
// without a gradient in one of the tensors, and saved and loaded between: masters and copies after
// each. Momentum and decay read the master; with decay there are few steps, since it makes masters
// longer.
Case generate(Draw& draw) {
  const int lr = -static_cast<int>(draw.between(2, 5));
  const bool decays = draw.chance(3);
  std::vector<MasterTensor> tensors;
  std::vector<subject::Parameter> parameters;
  std::vector<std::string> known;
  for (std::int64_t t = draw.between(1, 3); t > 0; --t) {
    const NumberFormat& f = draw_short_format(draw);
    MasterTensor tensor{"p" + std::to_string(tensors.size()), &f, {}};
    std::vector<std::uint64_t> initial;
    for (std::int64_t i = draw.between(1, 6); i > 0; --i) {
      tensor.elements.push_back(draw_master_element(draw, f, kBelow, lr));
      // Towards zero, as decay does: the two must not cancel.
      MasterElement& element = tensor.elements.back();
      if (decays) element.is_negative = !f.is_negative(element.initial);
      initial.push_back(tensor.elements.back().initial);
    }
    known.push_back(tensor.name);
    parameters.push_back({tensor.name, vector(std::move(initial), f), ""});
    tensors.push_back(std::move(tensor));
  }
  subject::MakeOptimizer made = master_sgd(std::move(parameters), lr);
  const bool has_momentum = draw.chance(3);
  if (has_momentum) made.hyper["momentum"] = draw_share(draw);
  // Long gradients make a momentum that a short format does not hold.
  const std::int64_t most = has_momentum ? 200 : 20;
  if (decays) made.hyper["weight_decay"] = scalar_power_of_two(-2, binary64);
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 8)), binary32);
  const std::vector<std::string> seen = masters_and_copies(known);
  CaseBuilder builder;
  builder.scaler(plan).optimizer(std::move(made)).observe(seen);
  std::int64_t clean = decays ? draw.between(1, 2) : draw.between(2, 4);
  while (clean > 0) {
    const bool bad = draw.chance(4);
    clean -= bad ? 0 : 1;
    const std::int64_t number = draw.pick<std::int64_t>({1, 1, 2});
    const std::int64_t without =
        tensors.size() > 1 && draw.chance(5) ? draw.between(0, std::ssize(tensors) - 1) : -1;
    std::vector<std::vector<subject::Coefficients>> micro_batches(static_cast<std::size_t>(number));
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (static_cast<std::int64_t>(t) == without) continue;
      const std::vector<Tensor> parts = draw_parts(draw, tensors[t], most, number);
      for (std::size_t m = 0; m < parts.size(); ++m)
        micro_batches[m].push_back({tensors[t].name, parts[m]});
    }
    if (bad) {
      Tensor& spoilt = micro_batches.front().back().values;
      spoilt.bits.back() = draw_non_finite(draw, *spoilt.format);
    }
    for (std::size_t m = 0; m < micro_batches.size(); ++m)
      builder.backward(micro_batches[m], m + 1 == micro_batches.size());
    if (draw.chance(3)) builder.unscale("o");
    builder.step("o").observe(seen);
    builder.update().zero_grad("o");
    if (draw.chance(4)) builder.save_load().observe(seen);
  }
  return builder.done();
}

AMPCHECK_CLAUSE("weights/copy-is-rounded-master", kParameter | kMaster, generate);

}  // namespace
}  // namespace ampcheck::properties
