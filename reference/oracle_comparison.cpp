#include "reference/oracle_comparison.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <stdexcept>

#include "reference/fast_scaling.hpp"
#include "reference/scaling.hpp"
#include "reference/second_oracle.hpp"

namespace ampcheck::reference {
namespace {

const second::Layout& layout_of(const NumberFormat& f) {
  for (const second::Layout& layout : second::kLayouts)
    if (layout.name == f.name) return layout;
  throw std::logic_error("the second oracle does not know " + std::string(f.name));
}

// A pattern as each oracle sees it.
struct Operand {
  std::uint64_t bits;
  bool negative;
  Rational exact;
  fast::Unrounded fast;
  second::Value second;
};

class Operations {
 public:
  explicit Operations(const NumberFormat& f) : f_(f), fast_(f), second_(layout_of(f)) {}

  const NumberFormat& format() const { return f_; }
  Operand operand(std::uint64_t bits) const {
    return {bits, f_.is_negative(bits), value_of(bits, f_), fast::decode(bits, fast_),
            second::decode(bits, second_)};
  }

  void add(OracleTally& tally, const Operand& a, const Operand& b) const {
    tally.compare(f_, exactly(a.exact + b.exact, a.negative && b.negative),
                  fast::rounded(fast::sum(a.fast, b.fast), fast_),
                  second::rounded(second::sum(a.second, b.second), second_),
                  [&] { return expression("+", a, b); });
  }
  void multiply(OracleTally& tally, const Operand& a, const Operand& b) const {
    tally.compare(f_, exactly(a.exact * b.exact, a.negative != b.negative),
                  fast::rounded(fast::product(a.fast, b.fast), fast_),
                  second::rounded(second::product(a.second, b.second), second_),
                  [&] { return expression("*", a, b); });
  }
  void divide(OracleTally& tally, const Operand& a, const Operand& b) const {
    if (b.exact.is_zero()) return;
    tally.compare(f_, exactly(a.exact / b.exact, a.negative != b.negative),
                  fast::rounded(fast::quotient(a.fast, b.fast), fast_),
                  second::rounded(second::quotient(a.second, b.second), second_),
                  [&] { return expression("/", a, b); });
  }
  // exact: that of a and b, formed once for all c.
  void fma(OracleTally& tally, const Operand& a, const Operand& b, const Rational& product,
           const Operand& c) const {
    const bool negative = a.negative != b.negative;
    tally.compare(f_, exactly(product + c.exact, negative && c.negative),
                  fast::rounded(fast::fused(a.fast, b.fast, c.fast), fast_),
                  second::rounded(second::fused(a.second, b.second, c.second), second_),
                  [&] { return expression("*", a, b) + " + " + show(c.bits, f_); });
  }
  void convert_to(OracleTally& tally, const Operand& a, const NumberFormat& to) const {
    tally.compare(to, convert({&f_, a.bits}, to), fast::converted(a.bits, fast_, fast::Format(to)),
                  second::converted(a.bits, second_, layout_of(to)),
                  [&] { return show(a.bits, f_) + " to " + std::string(to.name); });
  }

 private:
  std::uint64_t exactly(const Rational& x, bool negative_zero) const {
    return round_to(x, f_, Rounding::nearest_even, Overflow::standard, negative_zero);
  }
  std::string expression(const char* operation, const Operand& a, const Operand& b) const {
    return show(a.bits, f_) + " " + operation + " " + show(b.bits, f_);
  }

  const NumberFormat& f_;
  fast::Format fast_;
  const second::Layout& second_;
};

std::uint64_t seed_of_unit(std::uint64_t seed, std::int64_t unit) {
  return seed * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(unit);
}

std::vector<Operand> finite_operands(const Operations& operations) {
  std::vector<Operand> result;
  for (std::uint64_t bits = 0; bits >> operations.format().width == 0; ++bits)
    if (operations.format().is_finite(bits)) result.push_back(operations.operand(bits));
  return result;
}

// One unit a first operand.
void add_pairs_and_triples(std::vector<OraclePart>& parts, const NumberFormat& f,
                           std::int64_t every, std::uint64_t seed) {
  const Operations operations(f);
  const std::vector<Operand> all = finite_operands(operations);
  const auto units = static_cast<std::int64_t>(all.size());
  parts.push_back({std::string(f.name) + " pairs", units, [operations, all](std::int64_t unit) {
                     OracleTally tally;
                     const Operand& a = all[static_cast<std::size_t>(unit)];
                     for (const Operand& b : all) {
                       operations.add(tally, a, b);
                       operations.multiply(tally, a, b);
                       operations.divide(tally, a, b);
                     }
                     return tally;
                   }});
  parts.push_back(
      {std::string(f.name) + " fma", units, [operations, all, every, seed](std::int64_t unit) {
         OracleTally tally;
         std::mt19937_64 random(seed_of_unit(seed, unit));
         const Operand& a = all[static_cast<std::size_t>(unit)];
         for (const Operand& b : all) {
           const Rational product = a.exact * b.exact;
           if (every == 1)
             for (const Operand& c : all) operations.fma(tally, a, b, product, c);
           else
             for (int i = 0; i < 16; ++i)
               operations.fma(tally, a, b, product, all[random() % all.size()]);
         }
         return tally;
       }});
}

// 2^-149 … 2^127, then 1,000 others, of binary32 and of binary64 in turn.
std::vector<Number> scales(std::uint64_t seed) {
  std::vector<Number> result;
  for (int exponent = -149; exponent <= 127; ++exponent)
    result.push_back({&binary32, round_to(Rational::power_of_two(exponent), binary32)});
  std::mt19937_64 random(seed);
  for (int others = 0; others < 1000;) {
    const std::uint64_t bits = random();
    const Number one =
        others % 2 == 0 ? Number{&binary32, bits >> 33} : Number{&binary64, bits >> 1};
    // Of binary64 most lie inside the range of binary32, as scales do.
    const bool near = bits % 8 == 0 || one.format == &binary32 ||
                      (one.bits >> 52 >= 1023 - 126 && one.bits >> 52 <= 1023 + 127);
    if (!one.is_finite() || one.bits == 0 || !near) continue;
    result.push_back(one);
    ++others;
  }
  return result;
}

// A set of patterns, all NaNs being one.
using Set = OracleTally::Set;

Set ordered(Set set) {
  std::sort(set.begin(), set.end());
  return set;
}
Set set_of(const Admissible& exact) {
  Set set = exact.patterns();
  if (exact.contains(exact.format().nan())) set.push_back(second::kAnyNan);
  return ordered(std::move(set));
}
Set set_of(const fast::Patterns& patterns, const NumberFormat& f) {
  Set set(patterns.bits.begin(), patterns.bits.begin() + patterns.count);
  std::replace_if(
      set.begin(), set.end(), [&](std::uint64_t bits) { return f.is_nan(bits); }, second::kAnyNan);
  return ordered(std::move(set));
}

// `admits` is the fast path's answer to single patterns, asked about the set and about what lies
// beside it.
template <typename What, typename Admits>
void compare_sets(OracleTally& tally, const NumberFormat& f, const Admissible& exact,
                  const Set& fast, const Set& second, What what, Admits admits) {
  tally.compare(f, set_of(exact), fast, second, what);
  for (const std::uint64_t bits : exact.patterns())
    for (const std::uint64_t asked : {bits, bits ^ 1, bits ^ f.sign_bit(), f.nan()})
      if (admits(asked) != exact.contains(asked))
        return tally.disagree(what() + ": the fast path judges " + show(asked, f) + " otherwise");
}

struct Sweep {
  const NumberFormat* format;
  std::uint64_t every, start;

  template <typename Function>
  void each(Function f) const {
    for (std::uint64_t bits = start; bits >> format->width == 0; bits += every) f(bits);
  }
};

OracleTally compare_scaling(const Sweep& sweep, const Number& scale) {
  OracleTally tally;
  const NumberFormat& f = *sweep.format;
  const second::Layout& layout = layout_of(f);
  const second::Value second_scale = second::decode(scale.bits, layout_of(*scale.format));
  const auto judge = fast::Delivery::make(scale, f, f, {});
  if (!judge) throw std::logic_error("the fast path refuses a scale");
  sweep.each([&](std::uint64_t bits) {
    fast::Patterns fast;
    fast.add(judge->pattern(bits));
    compare_sets(
        tally, f, delivered(scale, {&f, bits}, f, false), set_of(fast, f),
        {second::delivered(second_scale, second::decode(bits, layout), layout)},
        [&] { return show(scale.bits, *scale.format) + " times " + show(bits, f); },
        [&](std::uint64_t asked) { return judge->admits(bits, asked); });
  });
  return tally;
}

struct Named {
  UnscaleArithmetic first;
  second::Unscale second;
  const char* name;
};
constexpr Named kArithmetics[] = {
    {UnscaleArithmetic::division, second::Unscale::division, "division"},
    {UnscaleArithmetic::reciprocal_binary32, second::Unscale::reciprocal_binary32,
     "reciprocal-binary32"},
    {UnscaleArithmetic::reciprocal_binary64, second::Unscale::reciprocal_binary64,
     "reciprocal-binary64"},
    {UnscaleArithmetic::either, second::Unscale::any, "either"},
};

OracleTally compare_unscaling(const Sweep& sweep, const Number& scale, std::int64_t unit) {
  OracleTally tally;
  const NumberFormat& f = *sweep.format;
  const second::Layout &layout = layout_of(f), &w = layout_of(binary32);
  const Rational exact_scale = value_of(scale);
  const second::Value second_scale = second::decode(scale.bits, layout_of(*scale.format));
  std::vector<Policy> policies;
  std::vector<fast::Unscaling> judges;
  for (const Named& arithmetic : kArithmetics) {
    policies.emplace_back().unscale = arithmetic.first;
    const auto judge = fast::Unscaling::make(f, scale, f, policies.back());
    if (!judge) throw std::logic_error("the fast path refuses a scale");
    judges.push_back(*judge);
  }
  auto turn = static_cast<std::size_t>(unit);
  sweep.each([&](std::uint64_t bits) {
    const std::size_t i = turn++ % std::size(kArithmetics);
    const second::Value x = second::decode(bits, layout);
    Set second;
    if (x.kind == second::Kind::number) {
      const auto patterns = second::unscaled(x, second_scale, kArithmetics[i].second, w, layout);
      second.assign(patterns.begin(), patterns.end());
    } else {
      second = {x.kind == second::Kind::nan ? second::kAnyNan : bits};
    }
    compare_sets(
        tally, f, unscaled({&f, bits}, exact_scale, f, policies[i]),
        set_of(judges[i].patterns(bits), f), second,
        [&] {
          return show(bits, f) + " unscaled by " + show(scale.bits, *scale.format) + ", " +
                 kArithmetics[i].name;
        },
        [&](std::uint64_t asked) { return judges[i].admits(bits, asked); });
  });
  return tally;
}

// One unit a scale.
void add_scaling(std::vector<OraclePart>& parts, const NumberFormat& f, std::int64_t every,
                 std::uint64_t seed) {
  const std::vector<Number> all = scales(seed);
  const auto units = static_cast<std::int64_t>(all.size());
  const auto sweep = [&f, every, seed](std::int64_t unit) {
    const auto step = static_cast<std::uint64_t>(every);
    return Sweep{&f, step, std::mt19937_64(seed_of_unit(seed, unit))() % step};
  };
  parts.push_back({std::string(f.name) + " scale", units, [all, sweep](std::int64_t unit) {
                     return compare_scaling(sweep(unit), all[static_cast<std::size_t>(unit)]);
                   }});
  parts.push_back({std::string(f.name) + " unscale", units, [all, sweep](std::int64_t unit) {
                     return compare_unscaling(sweep(unit), all[static_cast<std::size_t>(unit)],
                                              unit);
                   }});
}

// Every second pair has exponents close to each other, since others hardly add.
void add_random(std::vector<OraclePart>& parts, const NumberFormat& f, std::int64_t every,
                std::uint64_t seed) {
  constexpr std::int64_t kUnits = 1000;
  const std::int64_t pairs = 100'000'000 / every / kUnits;
  const Operations operations(f);
  parts.push_back(
      {std::string(f.name) + " random", kUnits, [operations, pairs, seed](std::int64_t unit) {
         const NumberFormat& format = operations.format();
         OracleTally tally;
         std::mt19937_64 random(seed_of_unit(seed, unit));
         for (std::int64_t i = 0; i < pairs; ++i) {
           const std::uint64_t first = random() >> (64 - format.width);
           std::uint64_t other = random() >> (64 - format.width);
           if (i % 2 == 0) {
             const std::uint64_t shift = (other >> 4) % 64 << format.fraction_bits;
             other = (other & (format.fraction_mask() | format.sign_bit())) |
                     (((first & format.exponent_mask()) + shift) & format.exponent_mask());
           }
           if (!format.is_finite(first) || !format.is_finite(other)) continue;
           const Operand a = operations.operand(first), b = operations.operand(other);
           operations.add(tally, a, b);
           operations.multiply(tally, a, b);
           operations.divide(tally, a, b);
           // A product of two half-length significands is often half way between two numbers, so
           // that a third far below decides.
           const std::uint64_t half = ~(format.fraction_mask() >> (format.precision() / 2));
           const std::uint64_t last = random() >> (64 - format.width);
           if (i % 4 == 1 && format.is_finite(last)) {
             const Operand x = operations.operand(first & half),
                           y = operations.operand(other & half);
             operations.fma(tally, x, y, x.exact * y.exact, operations.operand(last));
           }
           const NumberFormat& to =
               kNumberFormats[static_cast<std::size_t>(i) % std::size(kNumberFormats)];
           if (fast::is_supported(to)) operations.convert_to(tally, a, to);
         }
         return tally;
       }});
}

}  // namespace

std::vector<OraclePart> oracle_parts(std::int64_t every, std::uint64_t seed) {
  if (every < 1) throw std::invalid_argument("every Nth input: N is at least 1");
  std::vector<OraclePart> parts;
  for (const NumberFormat* f : {&float8_e4m3fn, &float8_e5m2, &float8_e4m3fnuz, &float8_e5m2fnuz})
    add_pairs_and_triples(parts, *f, every, seed);
  for (const NumberFormat* f : {&binary16, &bfloat16}) add_scaling(parts, *f, every, seed);
  for (const NumberFormat* f : {&binary32, &binary64}) add_random(parts, *f, every, seed);
  return parts;
}

}  // namespace ampcheck::reference
