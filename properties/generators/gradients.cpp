#include "properties/generators/gradients.hpp"

#include <algorithm>
#include <bit>

namespace ampcheck::properties {

using namespace reference;  // the formats

TensorFormats draw_formats(Draw& draw) {
  switch (draw.between(0, 9)) {
    case 0:
      return {&binary16, &binary16};
    case 1:
      return {&bfloat16, &bfloat16};
    case 2:
      return {&binary64, &binary64};
    case 3:
      return {&binary32, &binary64};
    case 4:
    case 5:
      return {&bfloat16, &binary32};
    case 6:
    case 7:
      return {&binary16, &binary32};
    default:
      return {&binary32, &binary32};
  }
}

TensorFormats draw_formats_to_binary32(Draw& draw) {
  const TensorFormats formats = draw_formats(draw);
  return *formats.parameter == binary64 ? TensorFormats{&binary32, &binary32} : formats;
}

std::vector<TensorPlan> draw_tensors(Draw& draw, int most, TensorFormats (*formats)(Draw&)) {
  std::vector<TensorPlan> plans;
  const std::int64_t count = draw.between(1, most);
  for (std::int64_t i = 0; i < count; ++i)
    plans.push_back({"p" + std::to_string(i), formats(draw), draw_length(draw)});
  return plans;
}

std::vector<std::string> names_of(const std::vector<TensorPlan>& plans) {
  std::vector<std::string> result;
  for (const TensorPlan& plan : plans) result.push_back(plan.name);
  return result;
}

std::vector<subject::Parameter> parameters_of(const std::vector<TensorPlan>& plans) {
  std::vector<subject::Parameter> result;
  for (const TensorPlan& plan : plans)
    result.push_back(zeros(plan.name, plan.length, *plan.formats.parameter));
  return result;
}

ExactWindow draw_exact_window(Draw& draw, const std::vector<TensorPlan>& plans,
                              std::int64_t micro_batches, int headroom) {
  // Away from the ends of binary32 too: that is the format of most scales, losses and reciprocals.
  int low = -100, high = 100, precision = 20;
  for (const TensorPlan& plan : plans) {
    for (const NumberFormat* f : {plan.formats.delivered, plan.formats.parameter}) {
      low = std::max(low, f->min_exponent());
      high = std::min(high, f->max_exponent());
      precision = std::min(precision, f->precision());
    }
  }
  ExactWindow window{};
  const int carry = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(micro_batches)));
  window.bits = std::max(1, precision - carry);
  high -= window.bits + carry + headroom;
  window.base = static_cast<int>(draw.between(low, high));
  window.scale = static_cast<int>(draw.between(low - window.base, high - window.base));
  // Most trainings have a scale above 1.
  if (window.scale < 0 && !draw.chance(4))
    window.scale = static_cast<int>(draw.between(0, high - window.base));
  // The scale and its reciprocal stay normal in binary32, with room to grow.
  window.scale = std::clamp(window.scale, -100, 100);
  return window;
}

std::vector<subject::Coefficients> draw_micro_batch(Draw& draw,
                                                    const std::vector<TensorPlan>& plans,
                                                    const ExactWindow& window) {
  std::vector<subject::Coefficients> result;
  for (const TensorPlan& plan : plans)
    result.push_back({plan.name, vector(draw_integers(draw, plan.length, window.bits, window.base,
                                                      *plan.formats.delivered),
                                        *plan.formats.delivered)});
  return result;
}

std::vector<subject::Coefficients> draw_normal_micro_batch(Draw& draw,
                                                           const std::vector<TensorPlan>& plans,
                                                           int low, int high) {
  std::vector<subject::Coefficients> result;
  for (const TensorPlan& plan : plans) {
    const NumberFormat& f = *plan.formats.delivered;
    std::vector<std::uint64_t> bits;
    for (std::size_t i = 0; i < plan.length; ++i) bits.push_back(draw_normal(draw, f, low, high));
    result.push_back({plan.name, vector(std::move(bits), f)});
  }
  return result;
}

std::vector<std::uint64_t> draw_integers(Draw& draw, std::size_t size, int bits, int base,
                                         const NumberFormat& f) {
  std::vector<std::uint64_t> result;
  const std::int64_t most = (std::int64_t{1} << std::min(bits, 40)) - 1;
  for (std::size_t i = 0; i < size; ++i) {
    const std::int64_t integer = draw.between(1, most);
    // The first is positive in every micro-batch, so that no window sums to zero and hides its
    // step.
    result.push_back(dyadic(i == 0 || draw.coin() ? integer : -integer, base, f));
  }
  return result;
}

std::size_t draw_length(Draw& draw) {
  if (draw.chance(32)) return draw.pick<std::size_t>({1023, 1024, 1025, 1025});
  return draw.pick<std::size_t>({1, 1, 2, 3, 4, 5, 8});
}

std::vector<std::string> names(const std::string& kind,
                               const std::vector<std::string>& parameters) {
  std::vector<std::string> result;
  for (const std::string& parameter : parameters) result.push_back(kind + "/" + parameter);
  return result;
}

}  // namespace ampcheck::properties
