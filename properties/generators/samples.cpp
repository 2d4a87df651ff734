#include "properties/generators/samples.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "properties/generators/shuffle.hpp"

namespace ampcheck::properties {

std::vector<TensorPlan> draw_short_tensors(Draw& draw, int most) {
  std::vector<TensorPlan> plans = draw_tensors(draw, most);
  for (TensorPlan& plan : plans) plan.length = (plan.length - 1) % 8 + 1;
  return plans;
}

IntegerGradient draw_sample(Draw& draw, const std::vector<TensorPlan>& plans, int bits,
                            bool sparse) {
  const std::int64_t most = (std::int64_t{1} << std::min(bits, 40)) - 1;
  const std::int64_t always = draw.between(0, static_cast<std::int64_t>(plans.size()) - 1);
  IntegerGradient gradient;
  for (const TensorPlan& plan : plans) {
    const bool is_there = !sparse || std::ssize(gradient) == always || draw.coin();
    gradient.emplace_back();
    for (std::size_t i = 0; is_there && i < plan.length; ++i) {
      const std::int64_t integer = draw.between(1, most);
      gradient.back().push_back(i == 0 || draw.coin() ? integer : -integer);
    }
  }
  return gradient;
}

IntegerGradient sum_of(const std::vector<IntegerGradient>& gradients) {
  IntegerGradient sum;
  for (const IntegerGradient& gradient : gradients) {
    sum.resize(gradient.size());
    for (std::size_t tensor = 0; tensor < gradient.size(); ++tensor) {
      if (sum[tensor].empty()) sum[tensor].resize(gradient[tensor].size());
      for (std::size_t i = 0; i < gradient[tensor].size(); ++i)
        sum[tensor][i] += gradient[tensor][i];
    }
  }
  return sum;
}

std::vector<subject::Coefficients> coefficients_of(const std::vector<TensorPlan>& plans,
                                                   const IntegerGradient& gradient, int exponent) {
  std::vector<subject::Coefficients> result;
  for (std::size_t tensor = 0; tensor < plans.size(); ++tensor) {
    if (gradient[tensor].empty()) continue;
    const NumberFormat& f = *plans[tensor].formats.delivered;
    std::vector<std::uint64_t> bits;
    for (const std::int64_t integer : gradient[tensor])
      bits.push_back(dyadic(integer, exponent, f));
    result.push_back({plans[tensor].name, vector(std::move(bits), f)});
  }
  return result;
}

int log2_above(std::int64_t count) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

std::vector<std::vector<std::size_t>> draw_partition(Draw& draw, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(draw, order);
  // Few cuts or many: one in four leaves all in one part, one in four takes each for itself.
  const std::int64_t cuts = draw.between(0, 3);
  std::vector<std::vector<std::size_t>> parts;
  for (const std::size_t one : order) {
    if (parts.empty() || draw.between(1, 3) <= cuts) parts.emplace_back();
    parts.back().push_back(one);
  }
  return parts;
}

}  // namespace ampcheck::properties
