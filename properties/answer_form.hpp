// Whether answers have the form that the protocol asks for, before anything of them is judged.
#pragma once

#include <string>
#include <vector>

#include "subject/case.hpp"
#include "subject/observations.hpp"

namespace ampcheck::properties {

// What is wrong with the answers to a case, with the step's index; empty where nothing is: one
// answer a step, every observation with a value a rank, and work that is done with another step
// done with one that can do it.
std::string form_fault(const subject::Case&, const std::vector<subject::Answer>&);

}  // namespace ampcheck::properties
