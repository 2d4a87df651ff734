// An optimizer's settings.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reference/rounding.hpp"

namespace ampcheck::reference {

// Hyper-parameters by name, each with its format. What is absent is 0.
using Hyper = std::map<std::string, Number>;

Rational hyper_value(const Hyper&, const char* name);

// A setting as given, and rounded to the format of the arithmetic where it is finite there.
std::vector<Rational> as_given_or_rounded(const Rational& setting, const NumberFormat& w);

// 1 - x, of x as given or rounded, and as it is or rounded.
std::vector<Rational> complements(const Rational& x, const NumberFormat& w);

}  // namespace ampcheck::reference
