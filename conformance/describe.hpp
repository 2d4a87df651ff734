// Cases and numbers in words, for people: hex floats and bits, never a rounded decimal.
#pragma once

#include <string>
#include <vector>

#include "subject/case.hpp"
#include "subject/observations.hpp"

namespace ampcheck::conformance {

// "3f800000 = 0x1p+0 (binary32)".
std::string describe(const subject::Scalar&);
// "[0x1p+0, -0x1.8p+1] (binary16)"; long tensors are cut in the middle.
std::string describe(const subject::Tensor&);
// "backward  w: [0x1p+0] (binary16)".
std::string describe(const subject::Step&);
std::string describe(const subject::Value&);
std::string describe(const subject::Observation&);

// One line a step, with what was observed after it below. `answers` may be empty. The step `marked`
// gets an arrow.
std::vector<std::string> case_table(const subject::Case&,
                                    const std::vector<subject::Answer>& answers,
                                    std::size_t marked);

}  // namespace ampcheck::conformance
