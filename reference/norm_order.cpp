#include "reference/norm_order.hpp"

#include "reference/bad_session.hpp"

namespace ampcheck::reference {

NormOrder norm_order(const Number& p) {
  const NumberFormat& f = *p.format;
  if (f.is_infinite(p.bits) && !f.is_negative(p.bits)) return {0, true};
  for (int order = 1; p.is_finite() && order <= kLargestNormOrder; ++order)
    if (value_of(p) == Rational(order)) return {order, false};
  throw BadSession("p", "an integer from 1 to " + std::to_string(kLargestNormOrder) + ", or inf",
                   to_string(p));
}

}  // namespace ampcheck::reference
