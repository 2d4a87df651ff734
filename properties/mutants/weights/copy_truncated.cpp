#include <cmath>

#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct CopyTruncated : subject::Textbook {
  double copied(double master, const Format& format) override {
    const double nearest = Textbook::copied(master, format);
    if (std::fabs(nearest) <= std::fabs(master)) return nearest;
    return subject::to_double(subject::to_bits(nearest, format) - 1, format);
  }
};

AMPCHECK_MUTANT(CopyTruncated, "copy-truncated", "weights",
                "masters are cut to the bits of the copy");

}  // namespace
}  // namespace ampcheck::properties
