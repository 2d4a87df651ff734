#include <map>
#include <string>
#include <vector>

#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct CopyOfTheUpdate : subject::Textbook {
  void copy_master(Variable& v) override {
    std::vector<double>& before = before_[v.name];
    if (before.empty()) before = v.value.values;
    for (std::size_t i = 0; i < before.size(); ++i) {
      double& copy = v.value.values[i];
      copy =
          copied(copy + copied(v.master.values[i] - before[i], *v.value.format), *v.value.format);
    }
    before = v.master.values;
  }
  std::map<std::string, std::vector<double>> before_;
};

AMPCHECK_MUTANT(CopyOfTheUpdate, "copy-of-the-update", "weights",
                "the rounded update is added to the copy");

}  // namespace
}  // namespace ampcheck::properties
