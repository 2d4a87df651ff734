#include "properties/built_in.hpp"

namespace ampcheck::properties {
namespace {

struct LabelZeroIgnored : subject::Textbook {
  bool is_counted(std::int64_t label, std::int64_t ignore_index) override {
    return label != 0 && Textbook::is_counted(label, ignore_index);
  }
};

AMPCHECK_MUTANT(LabelZeroIgnored, "label-zero-ignored", "tokens", "label 0 is taken for padding");

}  // namespace
}  // namespace ampcheck::properties
