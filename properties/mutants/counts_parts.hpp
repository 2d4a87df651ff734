// For mutants that divide by the tokens of a part of the window.
#pragma once

#include <utility>
#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {

struct CountsParts : subject::Textbook {
  // Of these ranks alone.
  double count_of(const subject::TokenWindow& window,
                  std::vector<std::vector<subject::TokenMicroBatch>> ranks) {
    subject::TokenWindow part = window;
    part.ranks = std::move(ranks);
    return Textbook::window_count(part);
  }
};

}  // namespace ampcheck::properties
