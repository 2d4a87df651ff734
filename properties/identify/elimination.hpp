// Which words of a group of axes explain what was observed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "properties/identify/experiment.hpp"
#include "properties/identify/words.hpp"
#include "subject/policy.hpp"

namespace ampcheck::properties::identify {

// Axes that act together, so that words of one can only be judged with words of the others.
struct Group {
  std::vector<Axis> axes;
  // Combinations of words that mean something; empty: all do.
  std::function<bool(const subject::Policy&)> is_meant = {};
};

// What a word explains, and what it does not.
struct Explained {
  subject::PolicyValue word;
  std::vector<std::string> kept, broken;  // names of experiments
};

struct Finding {
  enum class State {
    known,         // one word is left
    open,          // several are
    inconsistent,  // none explains everything
  };
  std::string axis;
  State state = State::open;
  // That explain everything. Of those whose sets hold the sets of another that explains everything,
  // only that other one.
  std::vector<subject::PolicyValue> words;
  std::vector<subject::PolicyValue> wider;  // these, which explain everything, too
  std::string how;                          // or why not
  // Open, and no case that the subject can be asked depends on it, as far as can be seen.
  bool is_harmless = false;
  // Where it is no simple choice: what each word explains.
  std::vector<Explained> explained;
};

// Every combination of words is judged on the same answers, with what is already known for all
// other axes; those that fail are struck out. Where one experiment is explained by none of them (a
// fault, and no choice), it is left out and named. One finding an axis.
std::vector<Finding> eliminate(const Group&, const std::vector<Trial>&,
                               const subject::Policy& known);

}  // namespace ampcheck::properties::identify
