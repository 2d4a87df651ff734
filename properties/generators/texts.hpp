// Token windows of texts, whose labels are shifted.
#pragma once

#include "properties/generators/tokens.hpp"

namespace ampcheck::properties {

// Micro-batches of one to three texts of equal length, down to one token, over a parameter "w" of
// two elements. The labels to predict number 2^k, so that nothing rounds, save where the plan has
// another count. What stands at the start of a text, which is no label to predict, may be ignored,
// too.
subject::TokenWindow draw_texts(Draw&, bool power_of_two_count, std::int64_t ranks);

}  // namespace ampcheck::properties
