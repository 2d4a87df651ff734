// The clause mechanism: a clause is one file that registers itself.
//
// A light header: clauses include nothing heavier than this and the generators.
#pragma once

#include <string_view>
#include <vector>

#include "properties/draw.hpp"
#include "subject/case.hpp"

namespace ampcheck::properties {

// The observations that decide a clause; all others are only taken as they come, so that a fault is
// blamed on the clause it breaks.
enum Decides : unsigned {
  kSeed = 1u << 0,
  kGradient = 1u << 1,
  kParameter = 1u << 2,
  kState = 1u << 3,        // what a skipped step must leave as it was
  kScale = 1u << 4,        // the value that the update rule gives
  kUsableScale = 1u << 5,  // whatever its value, the scale can be used
  kStepped = 1u << 6,
  kNorm = 1u << 7,
  kRefusal = 1u << 8,          // a step that misuses the library raises (misuse.hpp)
  kRefusalOrNoHarm = 1u << 9,  // or the session goes on as if it had been a right one
  kLoss = 1u << 12,
  kShownVerdict = 1u << 13,  // `stepped` or `found_non_finite` is shown, and what is shown is right
  kMaster = 1u << 16,        // where it is shown
  kRecipe = 1u << 18,        // what a recipe comes to
  kOdds = 1u << 17,          // of copies that are rounded stochastically
  // No observation, but how others are judged:
  kTrueNorm = 1u << 10,  // norms and clips are right whatever overflows on the way to them
  kAlike = 1u << 11,     // clips of the same gradients to the same limit give the same bits
};

// The bits of an observation ("gradient/w", "scale"); 0 for one that never decides.
unsigned deciding_bits(std::string_view observation);

// Level, sentence and source of a clause stand in catalogue.json.
struct Clause {
  std::string_view id;
  unsigned decides;
  subject::Case (*generate)(Draw&);
};

// All registered clauses, by id.
const std::vector<Clause>& clauses();
const Clause* find_clause(std::string_view id);

// Case `index` of a clause for a seed: id "rule/slug#seed.index".
subject::Case generate_case(const Clause& clause, std::uint64_t seed, std::uint64_t index);

namespace internal {
bool register_clause(const Clause& clause);
}

// At namespace scope of a clause's file.
#define AMPCHECK_CLAUSE(id, decides, generate)             \
  [[maybe_unused]] const bool ampcheck_clause_registered = \
      ::ampcheck::properties::internal::register_clause({id, decides, generate})

}  // namespace ampcheck::properties
