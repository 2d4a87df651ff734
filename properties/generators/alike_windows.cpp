#include "properties/generators/alike_windows.hpp"

namespace ampcheck::properties {

using namespace reference;

namespace {

constexpr int kLowest = -3, kHighest = 3;

TensorFormats draw_irregular_formats(Draw& draw) {
  return draw.pick<TensorFormats>({{&binary32, &binary32},
                                   {&binary32, &binary32},
                                   {&bfloat16, &binary32},
                                   {&binary16, &binary32}});
}

}  // namespace

AlikeWindow draw_alike_window(Draw& draw) {
  AlikeWindow window;
  // Long enough that another order mostly gives another sum.
  for (std::int64_t count = draw.between(1, 2); count != 0; --count)
    window.plans.push_back({"p" + std::to_string(window.plans.size()), draw_irregular_formats(draw),
                            static_cast<std::size_t>(draw.between(6, 14))});
  window.coefficients = draw_other_window(draw, window.plans);
  window.limit = scalar(draw_normal(draw, binary32, -5, 5) & ~binary32.sign_bit(), binary32);
  return window;
}

std::vector<subject::Coefficients> draw_other_window(Draw& draw,
                                                     const std::vector<TensorPlan>& plans) {
  return draw_normal_micro_batch(draw, plans, kLowest, kHighest);
}

void add_alike_window(CaseBuilder& builder, const AlikeWindow& window) {
  const std::vector<std::string> all = names_of(window.plans);
  builder.backward(window.coefficients)
      .unscale("o")
      .clip_norm({"o"}, window.limit)
      .observe({"norm"})
      .observe(names("gradient", all))
      .step("o")
      .observe(names("parameter", all));
  builder.update().zero_grad("o");
}

}  // namespace ampcheck::properties
