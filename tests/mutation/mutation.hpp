// One build of many small changes: the environment variable AMPCHECK_MUTANT says which is in force.
//
// mutate.py writes these into a copy of the sources. `a < b` becomes `a < Change(7) < b`: the
// operators of C++ keep their precedence, so that no expression has to be parsed. Where a type
// lacks the other operator nothing changes, and the change counts as inert.
#pragma once

#include <compare>
#include <type_traits>

namespace mutation {

inline constexpr int kMaxChanges = 4096;

// The number of the change in force, -1 for none.
int in_force();
// What has been evaluated since the array was cleared.
extern bool reached[kMaxChanges];

inline bool is_on(int change) {
  static const int kInForce = in_force();
  reached[change] = true;
  return change == kInForce;
}

struct Change {
  explicit constexpr Change(int n) : number(n) {}
  int number;
};

template <typename T>
inline constexpr bool kIsOrdering = std::is_same_v<T, std::strong_ordering>;

// `left op Change(n)`: a value of its own, on which `op right` is the other half.
#define AMPCHECK_LEFT(Name, op)                  \
  template <typename T>                          \
  struct Name {                                  \
    const T& left;                               \
    int number;                                  \
  };                                             \
  template <typename T>                          \
  Name<T> operator op(const T& left, Change c) { \
    return {left, c.number};                     \
  }

#define AMPCHECK_MUTATION(Name, op, other)                                                \
  AMPCHECK_LEFT(Name, op)                                                                 \
  template <typename T, typename U>                                                       \
  auto operator op(const Name<T>& l, const U& right) {                                    \
    if constexpr (requires { l.left other right; })                                       \
      return is_on(l.number) ? static_cast<decltype(l.left op right)>(l.left other right) \
                             : l.left op right;                                           \
    else                                                                                  \
      return l.left op right;                                                             \
  }

// Orderings compare with a literal zero only.
#define AMPCHECK_COMPARISON(Name, op, other)                         \
  AMPCHECK_LEFT(Name, op)                                            \
  template <typename T, typename U>                                  \
  bool operator op(const Name<T>& l, const U& right) {               \
    if constexpr (kIsOrdering<T>)                                    \
      return is_on(l.number) ? l.left other 0 : l.left op 0;         \
    else if constexpr (requires { l.left other right; })             \
      return is_on(l.number) ? l.left other right : l.left op right; \
    else                                                             \
      return l.left op right;                                        \
  }

AMPCHECK_MUTATION(Plus, +, -)
AMPCHECK_MUTATION(Minus, -, +)
AMPCHECK_MUTATION(Times, *, +)
AMPCHECK_MUTATION(Over, /, *)
AMPCHECK_MUTATION(Modulo, %, /)
AMPCHECK_COMPARISON(Below, <, <=)
AMPCHECK_COMPARISON(BelowOrEqual, <=, <)
AMPCHECK_COMPARISON(Above, >, >=)
AMPCHECK_COMPARISON(AboveOrEqual, >=, >)
AMPCHECK_COMPARISON(Equal, ==, !=)
AMPCHECK_COMPARISON(NotEqual, !=, ==)

#undef AMPCHECK_MUTATION
#undef AMPCHECK_COMPARISON
#undef AMPCHECK_LEFT

// `a && b` becomes `a && Change(7) | b`, which is a; `a || b` becomes `a || Change(7) & b`.
template <typename T>
bool operator|(Change c, const T& right) {
  return is_on(c.number) || static_cast<bool>(right);
}
template <typename T>
bool operator&(Change c, const T& right) {
  return !is_on(c.number) && static_cast<bool>(right);
}

// A literal and the next one; a Boolean and the other.
inline int next(int change, int literal) { return is_on(change) ? literal + 1 : literal; }
inline bool flip(int change, bool literal) { return is_on(change) != literal; }

}  // namespace mutation
