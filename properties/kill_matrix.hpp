// Which clause catches which of the program's own wrong implementations, and whether one blames a
// right one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "properties/built_in.hpp"
#include "properties/clause.hpp"

namespace ampcheck::properties {

struct KillMatrixOptions {
  std::uint64_t first_seed = 1;
  std::int64_t seeds = 20;
  std::int64_t smoke_cases = 0, cases = 0;  // of a clause, for mutants
  std::int64_t control_cases = 1'000'000;   // of a control, over all seeds and clauses
  unsigned jobs = 1;
  std::function<void(std::size_t done, std::size_t of)> progress;
};

struct KillMatrix {
  struct Mutant {
    const BuiltIn* subject;
    std::map<std::string, std::int64_t> killed_by;  // clause: the number of seeds
    std::int64_t at_smoke = 0;     // seeds with which a clause of its own rule catches it there
    std::int64_t by_its_rule = 0;  // seeds with which one does with all cases
  };
  struct Control {
    std::string name;
    std::int64_t cases = 0;
    std::map<std::string, std::int64_t> blamed_by;
  };

  std::int64_t seeds = 0;
  std::vector<Mutant> mutants;
  std::vector<Control> controls;  // the textbook last

  // Every mutant is caught by its own rule with every seed, and no control is blamed.
  bool is_proof() const;
  // Of mutants and seeds, those that are caught at smoke.
  double share_at_smoke() const;
  // Clauses that are not the only one to catch any mutant.
  std::vector<std::string> clauses_that_kill_nothing_alone() const;
  // Mutants that a single clause catches.
  std::vector<std::string> mutants_that_one_clause_kills() const;
};

KillMatrix play_kill_matrix(const KillMatrixOptions&);

// Clauses that count against a built-in subject. A mutant is caught by a verdict on what it did,
// not by what it failed to show; a control must be judged by all, and is not blamed for what it is
// only given advice on. `cases_played` is added to.
std::vector<std::string> blame(const BuiltIn&, const std::vector<const Clause*>&,
                               std::uint64_t seed, std::int64_t cases, bool until_first,
                               std::int64_t* cases_played = nullptr);

}  // namespace ampcheck::properties
