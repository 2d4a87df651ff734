// q^(1/p) for a rational q >= 0 and an integer p >= 2, as p-norms are.
#pragma once

#include "reference/real.hpp"

namespace ampcheck::reference {

class Root final : public Real {
 public:
  // Throws std::domain_error for q < 0 and for p < 2.
  Root(Rational q, int p);

  // By comparing q with r^p, which never approximates.
  std::strong_ordering compare(const Rational& r) const override;
  std::string to_string() const override;

  // q^(1/p) against s^(1/r) by comparing q^(m/p) with s^(m/r), m the least common multiple of p and
  // r.
  friend std::strong_ordering operator<=>(const Root&, const Root&);
  friend bool operator==(const Root& a, const Root& b) { return (a <=> b) == 0; }

 private:
  Rational q_;
  int p_;
};

}  // namespace ampcheck::reference
