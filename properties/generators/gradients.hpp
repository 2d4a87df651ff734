// Gradients that leave one right answer: whatever the order of additions, the association, or the
// use of fused operations, nothing rounds.
#pragma once

#include <string>
#include <vector>

#include "properties/generators/case_builder.hpp"

namespace ampcheck::properties {

// Formats of a tensor: F, in which a micro-batch delivers, and that of its parameter. F's numbers
// are always numbers of the parameter's format, so that accumulating in either rounds the same.
struct TensorFormats {
  const NumberFormat* delivered;
  const NumberFormat* parameter;
};
TensorFormats draw_formats(Draw&);
// The same without binary64, whose norms may be taken in binary32 or in binary64.
TensorFormats draw_formats_to_binary32(Draw&);

struct TensorPlan {
  std::string name;
  TensorFormats formats;
  std::size_t length;
};
// One to `most` tensors p0, p1, …, of independent formats and lengths.
std::vector<TensorPlan> draw_tensors(Draw&, int most,
                                     TensorFormats (*formats)(Draw&) = draw_formats);
std::vector<std::string> names_of(const std::vector<TensorPlan>&);
// Parameters that start at zero, so that a step of SGD with a power of two as its learning rate is
// exact.
std::vector<subject::Parameter> parameters_of(const std::vector<TensorPlan>&);

// A window in which nothing rounds: integers of up to `bits` bits times 2^base are normal in every
// F, and so they are times the scale 2^scale, with room for a factor of 2^headroom; sums over
// `micro_batches` of them are exact in every accumulator.
struct ExactWindow {
  int bits;
  int base;
  int scale;
};
ExactWindow draw_exact_window(Draw&, const std::vector<TensorPlan>&, std::int64_t micro_batches,
                              int headroom);
// One micro-batch of such a window.
std::vector<subject::Coefficients> draw_micro_batch(Draw&, const std::vector<TensorPlan>&,
                                                    const ExactWindow&);

// A micro-batch of normal numbers of any significand, with exponents from low to high.
std::vector<subject::Coefficients> draw_normal_micro_batch(Draw&, const std::vector<TensorPlan>&,
                                                           int low, int high);

// `size` integers of up to `bits` bits and either sign times 2^base, none zero.
std::vector<std::uint64_t> draw_integers(Draw&, std::size_t size, int bits, int base,
                                         const NumberFormat&);

// Lengths of tensors: mostly short, with 1, odd ones, and now and then one past a chunk of 1024.
std::size_t draw_length(Draw&);

// "gradient/p", for each parameter.
std::vector<std::string> names(const std::string& kind, const std::vector<std::string>& parameters);

}  // namespace ampcheck::properties
