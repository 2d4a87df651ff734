// Class weights of token windows.
#pragma once

#include "properties/generators/token_rows.hpp"

namespace ampcheck::properties {

// Rows that count, as draw_token_rows makes them but for labels 0 to 9 all of which have a weight,
// and those weights. They are multiples of 1/4, not all the same, and add up to a power of two over
// all counted tokens, so that nothing rounds.
struct WeightedRows {
  TokenRows rows;
  Tensor weights;
};
WeightedRows draw_weighted_rows(Draw&, std::int64_t counted_rows);

// Weights of any significand from 1/8 to 8 for as many classes.
Tensor draw_irregular_weights(Draw&, std::int64_t classes);

}  // namespace ampcheck::properties
