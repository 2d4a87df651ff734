#include "reference/skipping.hpp"

namespace ampcheck::reference {

Verdict worse(Verdict a, Verdict b) {
  if (a == Verdict::overflow || b == Verdict::overflow) return Verdict::overflow;
  if (a == Verdict::unknown || b == Verdict::unknown) return Verdict::unknown;
  return Verdict::clean;
}

Verdict verdict_on(const std::vector<Admissible>& values) {
  Verdict verdict = Verdict::clean;
  for (const Admissible& value : values) {
    if (!value.may_be_finite()) return Verdict::overflow;
    if (value.may_be_non_finite()) verdict = Verdict::unknown;
  }
  return verdict;
}

}  // namespace ampcheck::reference
