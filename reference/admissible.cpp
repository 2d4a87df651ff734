#include "reference/admissible.hpp"

#include <algorithm>
#include <stdexcept>

namespace ampcheck::reference {
namespace {

std::strong_ordering compare(const Exact& x, const Rational& r) { return x <=> Exact(r); }
std::strong_ordering compare(const Real& x, const Rational& r) { return x.compare(r); }

template <typename X>
Admissible neighbours(const X& x, const NumberFormat& format, Overflow overflow) {
  const Rational beyond = value_of(format.max_finite(), format) +
                          Rational::power_of_two(format.max_exponent() - format.fraction_bits);
  if (compare(x, beyond) >= 0 || compare(x, -beyond) <= 0)
    return Admissible::of(format, round_to(x, format, Rounding::nearest_even, overflow));
  Admissible result = Admissible::of(format, round_to(x, format, Rounding::down, overflow));
  result.add(round_to(x, format, Rounding::up, overflow));
  return result;
}

}  // namespace

std::int64_t Admissible::key(std::uint64_t bits) const {
  const auto magnitude = static_cast<std::int64_t>(format_->magnitude(bits));
  return format_->is_negative(bits) ? -magnitude : magnitude;
}

std::uint64_t Admissible::pattern(std::int64_t key) const {
  return key < 0 ? static_cast<std::uint64_t>(-key) | format_->sign_bit()
                 : static_cast<std::uint64_t>(key);
}

Admissible Admissible::of(const NumberFormat& format, std::uint64_t bits) {
  Admissible result(format);
  result.add(bits);
  return result;
}

Admissible Admissible::between(const NumberFormat& format, std::uint64_t a, std::uint64_t b) {
  Admissible result(format);
  if (format.is_nan(a) || format.is_nan(b))
    throw std::invalid_argument("an interval of numbers has no NaN at its ends");
  result.add(a);
  result.add(b);
  result.interval_ = result.keys_.size() > 1;
  return result;
}

Admissible Admissible::enclosing(const NumberFormat& format, const Rational& low,
                                 const Rational& high) {
  Admissible result(format);
  for (const Rational& end : {low, high}) {
    const std::uint64_t bits = round_to(end, format);
    result.nan_ = result.nan_ || format.is_nan(bits);
  }
  const std::uint64_t a = round_to(low, format), b = round_to(high, format);
  if (format.is_nan(a) && format.is_nan(b) && low.sign() == high.sign()) return result;
  const auto finite = [&](const Rational& end) {
    return result.nan_ ? round_to(end, format, Rounding::nearest_even, Overflow::saturate)
                       : round_to(end, format);
  };
  result.add(between(format, finite(low), finite(high)));
  return result;
}

Admissible Admissible::nan(const NumberFormat& format) { return of(format, format.nan()); }

Admissible Admissible::anything(const NumberFormat& format) {
  Admissible result = between(format, format.lowest(), format.max_finite());
  result.add_non_finite();
  return result;
}

void Admissible::add(std::uint64_t bits) {
  if (format_->is_nan(bits)) {
    nan_ = true;
    return;
  }
  const std::int64_t value = key(bits);
  if (interval_) {
    keys_.front() = std::min(keys_.front(), value);
    keys_.back() = std::max(keys_.back(), value);
    return;
  }
  const auto place = std::lower_bound(keys_.begin(), keys_.end(), value);
  if (place == keys_.end() || *place != value) keys_.insert(place, value);
}

void Admissible::add(const Admissible& other) {
  if (!(*format_ == *other.format_)) throw std::invalid_argument("a union of two formats");
  nan_ = nan_ || other.nan_;
  infinities_ = infinities_ || other.infinities_;
  if (other.keys_.empty()) return;
  if (!interval_ && !other.interval_) {
    for (const std::int64_t value : other.keys_) add(pattern(value));
    return;
  }
  std::int64_t low = other.keys_.front(), high = other.keys_.back();
  if (!keys_.empty()) {
    low = std::min(low, keys_.front());
    high = std::max(high, keys_.back());
  }
  keys_ = {low, high};
  interval_ = true;
}

void Admissible::add_non_finite() {
  if (format_->has_nan()) nan_ = true;
  if (format_->has_infinity()) infinities_ = true;
}

void Admissible::add_rounded(const Exact& x, const NumberFormat& by_way_of) {
  add(round_to(x, *format_));
  add(convert({&by_way_of, round_to(x, by_way_of)}, *format_));
}

bool Admissible::contains(std::uint64_t bits) const {
  if (format_->is_nan(bits)) return nan_;
  if (infinities_ && format_->is_infinite(bits)) return true;
  const std::int64_t value = key(bits);
  if (interval_) return keys_.front() <= value && value <= keys_.back();
  return std::binary_search(keys_.begin(), keys_.end(), value);
}

bool Admissible::is_single() const { return !nan_ && !infinities_ && keys_.size() == 1; }

std::uint64_t Admissible::single() const {
  if (!is_single()) throw std::logic_error("not a single pattern: " + to_string());
  return pattern(keys_.front());
}

bool Admissible::may_be_finite() const {
  if (keys_.empty()) return false;
  if (interval_) return true;
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](std::int64_t value) { return format_->is_finite(pattern(value)); });
}

bool Admissible::may_be_non_finite() const {
  return nan_ || infinities_ ||
         (!keys_.empty() && !(format_->is_finite(pattern(keys_.front())) &&
                              format_->is_finite(pattern(keys_.back()))));
}

std::uint64_t Admissible::lowest() const { return pattern(keys_.front()); }
std::uint64_t Admissible::highest() const { return pattern(keys_.back()); }

std::vector<std::uint64_t> Admissible::patterns() const {
  std::vector<std::uint64_t> result;
  result.reserve(keys_.size());
  for (const std::int64_t value : keys_) result.push_back(pattern(value));
  return result;
}

Admissible Admissible::hull() const {
  Admissible result(*this);
  if (keys_.size() > 1) {
    result.keys_ = {keys_.front(), keys_.back()};
    result.interval_ = true;
  }
  return result;
}

Rational Admissible::position(std::uint64_t bits) const {
  if (keys_.size() < 2 || !contains(bits) || format_->is_nan(bits)) return Rational(1) / 2;
  const Rational low(keys_.front()), high(keys_.back());
  return (Rational(key(bits)) - low) / (high - low);
}

std::string Admissible::to_string() const {
  const auto show = [&](std::int64_t value) {
    const std::uint64_t bits = pattern(value);
    return to_hex_bits(bits, *format_) + " = " + to_hex_float(bits, *format_);
  };
  std::string text;
  if (interval_) {
    text = "[" + show(keys_.front()) + " … " + show(keys_.back()) + "]";
  } else if (!keys_.empty()) {
    text = "{";
    for (std::size_t i = 0; i < keys_.size(); ++i) text += (i == 0 ? "" : ", ") + show(keys_[i]);
    text += "}";
  }
  if (infinities_) text += text.empty() ? "±inf" : " or ±inf";
  if (nan_) text += text.empty() ? "NaN" : " or NaN";
  return text.empty() ? "{}" : text;
}

Admissible stochastically_rounded(const Exact& x, const NumberFormat& format, Overflow overflow) {
  return neighbours(x, format, overflow);
}
Admissible stochastically_rounded(const Real& x, const NumberFormat& format, Overflow overflow) {
  return neighbours(x, format, overflow);
}

}  // namespace ampcheck::reference
