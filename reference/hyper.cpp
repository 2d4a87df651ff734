#include "reference/hyper.hpp"

#include "reference/distinct.hpp"

namespace ampcheck::reference {
Rational hyper_value(const Hyper& hyper, const char* name) {
  const auto found = hyper.find(name);
  return found == hyper.end() ? Rational(0) : value_of(found->second);
}

std::vector<Rational> as_given_or_rounded(const Rational& setting, const NumberFormat& w) {
  std::vector<Rational> result{setting};
  const std::uint64_t rounded = round_to(setting, w);
  if (w.is_finite(rounded)) add_missing(result, value_of(rounded, w));
  return result;
}

std::vector<Rational> complements(const Rational& x, const NumberFormat& w) {
  std::vector<Rational> result;
  for (const Rational& given : as_given_or_rounded(x, w))
    for (const Rational& rest : as_given_or_rounded(Rational(1) - given, w))
      add_missing(result, rest);
  return result;
}

}  // namespace ampcheck::reference
