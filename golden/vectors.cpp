#include "golden/vectors.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "golden/definitions/definitions.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::golden {

subject::Scalar Real::scalar() const { return {format, reference::round_to(value, *format)}; }

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> all = [] {
    std::vector<Vector> made;
    for (std::vector<Vector> (*of_rule)() :
         {scaling_vectors, clipping_vectors, accumulation_vectors, skipping_vectors, token_vectors,
          weight_vectors, schedule_vectors})
      std::ranges::move(of_rule(), std::back_inserter(made));
    std::ranges::sort(made, {}, &Vector::id);
    for (Vector& vector : made) {
      vector.played.id = vector.id;
      vector.played.clause = vector.clause;
    }
    const auto twice = std::ranges::adjacent_find(made, {}, &Vector::id);
    if (twice != made.end()) throw std::logic_error("two golden vectors " + twice->id);
    return made;
  }();
  return all;
}

const Vector* find_vector(std::string_view id) {
  const auto found = std::ranges::find(vectors(), id, &Vector::id);
  return found == vectors().end() ? nullptr : &*found;
}

}  // namespace ampcheck::golden
