#include "properties/identify/experiments.hpp"

#include "properties/draw.hpp"
#include "subject/names.hpp"

namespace ampcheck::properties::identify {

std::string_view name_of(subject::OptimizerForm form) {
  return subject::kOptimizerForms[static_cast<std::size_t>(form)];
}

std::vector<std::uint64_t> irregular(std::string_view name, std::size_t size, int low, int high,
                                     const NumberFormat& format) {
  Draw draw(1, name, 0);
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(draw_normal(draw, format, low, high));
  return numbers;
}

}  // namespace ampcheck::properties::identify
