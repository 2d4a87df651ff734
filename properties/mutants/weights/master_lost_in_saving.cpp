#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct MasterLostInSaving : subject::Textbook {
  void load(const Saved& saved) override {
    Textbook::load(saved);
    for (auto& [name, v] : variables_)
      if (v.has_master()) v.master.values = v.value.values;
  }
};

AMPCHECK_MUTANT(MasterLostInSaving, "master-lost-in-saving", "weights",
                "copies are saved, and masters start from them again");

}  // namespace
}  // namespace ampcheck::properties
