#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct NegativeLabelsIgnored : subject::Textbook {
  bool is_counted(std::int64_t label, std::int64_t ignore_index) override {
    return label >= 0 && Textbook::is_counted(label, ignore_index);
  }
};

AMPCHECK_MUTANT(NegativeLabelsIgnored, "negative-labels-ignored", "tokens",
                "every negative label is taken for the ignore index");

}  // namespace
}  // namespace ampcheck::properties
