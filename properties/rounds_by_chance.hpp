// For mutants and controls that round copies of master weights stochastically.
#pragma once

#include <cmath>
#include <random>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {

struct RoundsByChance : subject::Textbook {
  double copied(double master, const Format& format) override {
    const double nearest = subject::narrow(master, format);
    if (nearest == master || !std::isfinite(nearest)) return nearest;
    // Away from zero patterns grow by one.
    const std::uint64_t pattern = subject::to_bits(nearest, format);
    const bool is_beyond = std::fabs(nearest) > std::fabs(master);
    const double other = subject::to_double(is_beyond ? pattern - 1 : pattern + 1, format);
    const double below = std::fmin(nearest, other), above = std::fmax(nearest, other);
    return uniform() < chance((master - below) / (above - below), master) ? above : below;
  }
  // From 0 to below 1.
  virtual double uniform() { return std::ldexp(static_cast<double>(random_() >> 11), -53); }
  // That a number so far above its lower neighbour, counted in their distance, is rounded up.
  virtual double chance(double fraction, double) { return fraction; }

  std::mt19937_64 random_{1};
};

}  // namespace ampcheck::properties
