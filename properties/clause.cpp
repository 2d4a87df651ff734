#include "properties/clause.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ampcheck::properties {
namespace {

std::vector<Clause>& registry() {
  static std::vector<Clause> all;
  return all;
}

}  // namespace

unsigned deciding_bits(std::string_view observation) {
  const std::string_view kind = observation.substr(0, observation.find('/'));
  if (kind == "seed") return kSeed;
  if (kind == "gradient") return kGradient | kAlike;
  if (kind == "parameter") return kParameter | kOdds;
  if (kind == "master") return kMaster;
  if (kind == "state") return kState;
  if (kind == "scale") return kScale | kUsableScale;
  if (kind == "stepped") return kStepped;
  if (kind == "norm") return kNorm | kAlike;
  if (kind == "loss") return kLoss;
  for (const char* recipe : {"accumulate", "weight_decay", "window_ends", "learning_rate"})
    if (kind == recipe) return kRecipe;
  return 0;
}

bool internal::register_clause(const Clause& clause) {
  std::vector<Clause>& all = registry();
  const auto place =
      std::lower_bound(all.begin(), all.end(), clause.id,
                       [](const Clause& c, std::string_view id) { return c.id < id; });
  if (place != all.end() && place->id == clause.id)
    throw std::logic_error("two clauses " + std::string(clause.id));
  all.insert(place, clause);
  return true;
}

const std::vector<Clause>& clauses() { return registry(); }

const Clause* find_clause(std::string_view id) {
  for (const Clause& clause : clauses())
    if (clause.id == id) return &clause;
  return nullptr;
}

subject::Case generate_case(const Clause& clause, std::uint64_t seed, std::uint64_t index) {
  Draw draw(seed, clause.id, index);
  subject::Case made = clause.generate(draw);
  made.clause = clause.id;
  made.seed = seed;
  made.id = made.clause + "#" + std::to_string(seed) + "." + std::to_string(index);
  return made;
}

}  // namespace ampcheck::properties
