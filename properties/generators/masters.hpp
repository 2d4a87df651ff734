// Parameters of a short format with master weights, and updates that are fractions of what their
// copies can show.
#pragma once

#include "properties/generators/gradients.hpp"

namespace ampcheck::properties {

// A number of a short format, and the unit in which its updates are counted: its ulp over
// 2^`below`. Updates are integers times `lr`·2^`base`, so that masters hold their sums exactly.
struct MasterElement {
  std::uint64_t initial;
  int base;          // of gradients: unit/lr as a power of two
  bool is_negative;  // updates lower the parameter
};
// lr is 2^lr_exponent. The initial value has either sign, any significand and an exponent from -1
// to 1; a third of them are powers of two.
MasterElement draw_master_element(Draw&, const NumberFormat&, int below, int lr_exponent);

// The gradient that moves the element by so many units.
std::uint64_t gradient_of(const MasterElement&, std::int64_t units, const NumberFormat&);

const NumberFormat& draw_short_format(Draw&);

// An optimizer o with learning rate 2^lr_exponent that keeps masters of these parameters.
subject::MakeOptimizer master_sgd(std::vector<subject::Parameter> parameters, int lr_exponent);

// "master/P" and "parameter/P" of each, the masters first: a copy is then judged by the master that
// is shown.
std::vector<std::string> masters_and_copies(const std::vector<std::string>& parameters);

}  // namespace ampcheck::properties
