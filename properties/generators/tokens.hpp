// Token windows: micro-batches of unequal numbers of tokens on one or several ranks.
#pragma once

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

struct TokenPlan {
  bool ignored = false;            // some tokens carry the ignore index
  bool power_of_two_count = true;  // the counted tokens of the window number 2^k: nothing rounds
  bool empty_micro_batch = false;  // one more micro-batch, in which no token counts
  std::int64_t more = 0;           // at least so many counted tokens, with zeros as coefficients
};

// A window over one parameter of two elements, with integers as coefficients. Never the same number
// of counted tokens in every micro-batch: equal counts hide what this rule is about.
subject::TokenWindow draw_token_window(Draw&, const TokenPlan&, std::int64_t ranks);

// inf and NaN in half of the tokens that do not count. Two elements, of which the second is spoilt.
void spoil_ignored(Draw&, subject::TokenWindow&);

// A case of one such window, unscaled and looked at. A third of those that are to count a power of
// two of tokens do not.
Case draw_token_case(Draw&, TokenPlan, std::int64_t ranks);

// A scaler and an optimizer "o" that owns "w" of two elements in binary32. Without a plan the scale
// is a power of two from 1 to 2^16 and does not grow.
CaseBuilder token_session(const ScalerPlan&);
CaseBuilder token_session(Draw&);

}  // namespace ampcheck::properties
