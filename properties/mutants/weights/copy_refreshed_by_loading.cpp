#include "properties/built_in.hpp"
#include "properties/rounds_by_chance.hpp"

namespace ampcheck::properties {
namespace {

struct CopyRefreshedByLoading : RoundsByChance {
  void load(const Saved& saved) override {
    RoundsByChance::load(saved);
    for (auto& [name, v] : variables_)
      if (v.has_master()) copy_master(v);
  }
};

AMPCHECK_MUTANT(CopyRefreshedByLoading, "copy-refreshed-by-loading", "weights",
                "loading rounds the copies anew", {"copy_rounding", word("stochastic")});

}  // namespace
}  // namespace ampcheck::properties
