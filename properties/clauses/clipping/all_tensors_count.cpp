#include <utility>

#include "properties/clause.hpp"
#include "properties/generators/norms.hpp"
#include "properties/generators/shuffle.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

struct TensorOf {
  TensorFormats formats;
  std::vector<std::int64_t> integers;
  bool is_scalar = false;  // of shape []
};

TensorFormats draw_norm_formats(Draw& draw, bool binary16_too) {
  return draw.pick<TensorFormats>(
      {{&binary32, &binary32},
       {&binary16, &binary32},
       {&bfloat16, &binary32},
       {&bfloat16, &bfloat16},
       binary16_too ? TensorFormats{&binary16, &binary16} : TensorFormats{&binary32, &binary32}});
}

// Integers with a norm that is one, spread over three to six tensors: each of a format of its own,
// some empty, some of one element, with or without a dimension.
std::vector<TensorOf> draw_spread(Draw& draw, std::vector<std::int64_t> integers) {
  shuffle(draw, integers);
  // Not every library unscales gradients of binary16.
  const bool binary16_too = draw.chance(4);
  std::vector<TensorOf> tensors(static_cast<std::size_t>(draw.between(3, 6)));
  for (TensorOf& tensor : tensors) tensor.formats = draw_norm_formats(draw, binary16_too);
  for (const std::int64_t integer : integers)
    tensors[static_cast<std::size_t>(draw.between(0, std::ssize(tensors) - 1))].integers.push_back(
        draw.coin() ? integer : -integer);
  // An empty one has the format of one that is not. Whether a wider one widens a norm that is
  // rounded to the gradients' format, no rule says.
  std::vector<TensorFormats> counted;
  for (const TensorOf& tensor : tensors)
    if (!tensor.integers.empty()) counted.push_back(tensor.formats);
  for (TensorOf& tensor : tensors) {
    if (tensor.integers.empty()) tensor.formats = draw.pick(counted);
    tensor.is_scalar = tensor.integers.size() == 1 && draw.coin();
  }
  return tensors;
}

Tensor tensor_of(const TensorOf& given, const NumberFormat& f, int exponent) {
  Tensor made{&f, {}, {}};
  if (!given.is_scalar) made.shape = {std::ssize(given.integers)};
  for (const std::int64_t integer : given.integers)
    made.bits.push_back(dyadic(integer, exponent, f));
  return made;
}

// One norm over the tensors of one to three optimizers, of which one may own a tensor of another
// under a second name: it counts once.
Case generate(Draw& draw) {
  const SquareSum sum = draw_square_sum(draw);
  const std::vector<TensorOf> tensors = draw_spread(draw, sum.integers);
  // Norms as in norms.hpp.
  const int base = static_cast<int>(draw.between(5, 8));
  const std::size_t count = draw.pick<std::size_t>({1, 2, 2, 3, 3});
  const bool shares = count > 1 && draw.coin();
  ScalerPlan plan;
  // With S = 1 a shared gradient is the same whether one optimizer divides it or both do: that is
  // the business of another clause.
  plan.init_scale =
      scalar_power_of_two(shares ? 0 : static_cast<int>(draw.between(-8, 4)), binary32);
  std::vector<std::vector<subject::Parameter>> owned(count);
  std::vector<subject::Coefficients> coefficients;
  std::vector<std::string> parameters, optimizers;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = "p" + std::to_string(i);
    parameters.push_back(name);
    // All have one.
    const std::size_t owner =
        i < count ? i : static_cast<std::size_t>(draw.between(0, std::ssize(owned) - 1));
    Tensor initial = tensor_of(tensors[i], *tensors[i].formats.parameter, base);
    for (std::uint64_t& bits : initial.bits) bits = 0;
    owned[owner].push_back({name, std::move(initial), ""});
    coefficients.push_back({name, tensor_of(tensors[i], *tensors[i].formats.delivered, base)});
  }
  if (shares) {
    // A tensor that counts.
    std::string shared;
    for (const subject::Parameter& p : owned.front())
      if (shared.empty() || !p.initial.bits.empty()) shared = p.name;
    owned.back().push_back({"also", {}, shared});
    parameters.emplace_back("also");
  }
  CaseBuilder builder;
  builder.scaler(plan);
  for (std::size_t o = 0; o < count; ++o) {
    optimizers.push_back("o" + std::to_string(o));
    builder.sgd(optimizers.back(), owned[o]);
  }
  builder.backward(std::move(coefficients));
  for (const std::string& name : optimizers) builder.unscale(name);
  const int ratio = static_cast<int>(draw.between(-5, 1));
  shuffle(draw, optimizers);
  builder.clip_norm(optimizers, scalar(dyadic(sum.norm, base + ratio, binary32), binary32))
      .observe({"norm"})
      .observe(names("gradient", parameters));
  return builder.done();
}

AMPCHECK_CLAUSE("clipping/all-tensors-count", kGradient | kNorm, generate);

}  // namespace
}  // namespace ampcheck::properties
