#include "reference/dot_product.hpp"

#include <stdexcept>

#include "reference/error_bounds.hpp"

namespace ampcheck::reference {
namespace {

// inf or NaN as a factor.
Admissible special_product(const Number& a, const Number& b, const NumberFormat& f) {
  const auto is = [&](auto test) { return (a.format->*test)(a.bits) || (b.format->*test)(b.bits); };
  if (is(&NumberFormat::is_nan) || is(&NumberFormat::is_zero) || !f.has_infinity())
    return Admissible::nan(f);
  const bool negative = a.format->is_negative(a.bits) != b.format->is_negative(b.bits);
  return Admissible::of(f, f.infinity() | (negative ? f.sign_bit() : 0));
}

}  // namespace

Admissible dot_product(std::span<const Number> a, std::span<const Number> b,
                       const NumberFormat& accumulator, Products products, const Policy& policy) {
  if (a.size() != b.size())
    throw std::invalid_argument("a dot product of " + std::to_string(a.size()) + " and " +
                                std::to_string(b.size()) + " numbers");
  Sum sum(accumulator);
  Rational exact;
  bool finite = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_finite() || !b[i].is_finite()) {
      sum.add(special_product(a[i], b[i], accumulator));
      finite = false;
      continue;
    }
    const Rational product = value_of(a[i]) * value_of(b[i]);
    exact += product;
    const bool has_subnormal =
        a[i].format->is_subnormal(a[i].bits) || b[i].format->is_subnormal(b[i].bits);
    // A subnormal factor that is flushed takes its product away, however large that is.
    if (policy.may_flush && has_subnormal)
      sum.add_product(min(product, 0), max(product, 0), products);
    else
      sum.add_product(product, product, products);
  }
  Admissible result = sum.result(policy);
  if (finite && result.may_be_finite()) result.add(round_to(exact, accumulator));
  return result;
}

}  // namespace ampcheck::reference
