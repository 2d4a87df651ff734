#include "properties/generators/masters.hpp"

#include <utility>

namespace ampcheck::properties {

using namespace reference;

MasterElement draw_master_element(Draw& draw, const NumberFormat& f, int below, int lr_exponent) {
  const std::int64_t one = std::int64_t{1} << f.fraction_bits;
  const std::int64_t significand = draw.chance(3) ? one : draw.between(one, 2 * one - 1);
  const int ulp = static_cast<int>(draw.between(-1, 1)) - f.fraction_bits;
  const bool is_negative = draw.coin();
  return {dyadic(draw.coin() ? significand : -significand, ulp, f), ulp - below - lr_exponent,
          is_negative};
}

std::uint64_t gradient_of(const MasterElement& element, std::int64_t units, const NumberFormat& f) {
  return dyadic(element.is_negative ? units : -units, element.base, f);
}

const NumberFormat& draw_short_format(Draw& draw) { return *draw.pick({&binary16, &bfloat16}); }

subject::MakeOptimizer master_sgd(std::vector<subject::Parameter> parameters, int lr_exponent) {
  subject::MakeOptimizer made;
  made.name = "o";
  made.hyper = {{"lr", scalar_power_of_two(lr_exponent, binary64)}};
  made.parameters = std::move(parameters);
  made.master_weights = true;
  return made;
}

std::vector<std::string> masters_and_copies(const std::vector<std::string>& parameters) {
  std::vector<std::string> all = names("master", parameters);
  for (std::string& name : names("parameter", parameters)) all.push_back(std::move(name));
  return all;
}

}  // namespace ampcheck::properties
