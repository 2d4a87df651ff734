// What sessions must have met by the time that all clauses were played at standard, misuse apart:
// each kind in at least kLeast cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "properties/clause.hpp"
#include "properties/misuse.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::Rational;

constexpr std::uint64_t kCases = 200;
// A mistake that shows in a third of such cases is then missed with a chance of (2/3)^10, 2 %.
constexpr int kLeast = 10;

Rational value(const Scalar& x) { return reference::value_of(x.bits, *x.format); }

bool is_finite(const Coefficients& c) {
  return std::ranges::all_of(c.values.bits,
                             [&](std::uint64_t bits) { return c.values.format->is_finite(bits); });
}

// The kinds of things that happen in one case.
class Kinds {
 public:
  std::set<std::string> found;

  void operator()(const MakeScaler& a) {
    interval_ = a.growth_interval;
    if (a.growth_interval == 1) found.insert("growth interval 1");
    if (!a.enabled || !a.init_scale.format->is_finite(a.init_scale.bits)) return;
    const Rational scale = value(a.init_scale), backoff = value(a.backoff_factor);
    if (scale.sign() <= 0) return;
    if (!scale.is_power_of_two()) found.insert("initial scale of many bits");
    if (scale < 1) found.insert("initial scale below 1");
    if (scale >= Rational::power_of_two(100)) found.insert("initial scale from 2^100");
    if (scale <= Rational::power_of_two(-100)) found.insert("initial scale up to 2^-100");
    if (value(a.growth_factor) < Rational(3) / 2) found.insert("growth below 3/2");
    if (backoff < Rational(1) / 8) found.insert("back-off below 1/8");
    if (backoff > Rational(3) / 4) found.insert("back-off above 3/4");
  }
  void operator()(const MakeOptimizer& a) {
    if (!owned_.empty()) found.insert("several optimizers");
    std::set<const NumberFormat*> formats;
    for (const Parameter& p : a.parameters) {
      owned_[a.name].insert(p.name);
      if (!p.same_as.empty()) {
        found.insert("shared tensor");
        continue;
      }
      formats.insert(p.initial.format);
      if (p.initial.bits.empty()) found.insert("empty tensor");
      if (p.initial.shape.empty()) found.insert("tensor without a dimension");
      if (p.initial.shape.size() > 1) found.insert("matrix");
    }
    if (formats.size() > 1) found.insert("formats mixed in an optimizer");
  }
  void operator()(const Backward& a) {
    ++micro_batches_;
    for (const Coefficients& c : a.coefficients) {
      given_.insert(c.parameter);
      bad_ = bad_ || !is_finite(c);
    }
  }
  void operator()(const Unscale& a) { unscaled_.insert(a.optimizer); }
  void operator()(const ClipNorm&) { clips_ = true; }
  void operator()(const ClipValue&) { clips_ = true; }
  void operator()(const TakeStep& a) {
    found.insert(unscaled_.contains(a.optimizer) ? "unscaled before the step"
                                                 : "unscaled by the step");
    const auto& owned = owned_[a.optimizer];
    if (std::ranges::none_of(owned, [&](const auto& p) { return given_.contains(p); }))
      found.insert("optimizer without a gradient");
    else if (!std::ranges::all_of(owned, [&](const auto& p) { return given_.contains(p); }))
      found.insert("parameter without a gradient");
  }
  void operator()(const Update&) {
    if (bad_ && windows_ == 0) found.insert("first step skipped");
    if (bad_ && last_was_bad_) found.insert("two skips in a row");
    if (!bad_ && last_was_bad_) found.insert("clean window after a skip");
    if (!bad_ && clips_ && clean_ + 1 >= interval_) found.insert("growth due with a clip");
    if (windows_ > 0 && micro_batches_ != last_micro_batches_)
      found.insert("windows of unequal length");
    clean_ = bad_ || clean_ + 1 >= interval_ ? 0 : clean_ + 1;
    last_was_bad_ = bad_;
    last_micro_batches_ = micro_batches_;
    ++windows_;
    micro_batches_ = 0;
    bad_ = clips_ = false;
    unscaled_.clear();
    given_.clear();
  }
  void operator()(const SaveLoad&) {
    found.insert("saved and loaded");
    if (last_was_bad_) found.insert("saved after a skip");
    if (clean_ > 0) found.insert("saved while counting");
  }
  template <typename Other>
  void operator()(const Other&) {}

 private:
  std::int64_t interval_ = 1, clean_ = 0;
  std::map<std::string, std::set<std::string>> owned_;
  std::set<std::string> given_, unscaled_;
  int windows_ = 0, micro_batches_ = 0, last_micro_batches_ = 0;
  bool bad_ = false, clips_ = false, last_was_bad_ = false;
};

TEST(Sessions, MeetEachKindOfThing) {
  std::map<std::string, int> times;
  for (const Clause& clause : clauses())
    for (std::uint64_t i = 0; i < kCases; ++i) {
      const Case one = generate_case(clause, 1, i);
      if (is_about_misuse(one)) continue;
      Kinds kinds;
      for (const Step& step : one.steps) std::visit(kinds, step.action);
      for (const std::string& kind : kinds.found) ++times[kind];
    }
  for (const char* kind : {"growth interval 1",
                           "initial scale of many bits",
                           "initial scale below 1",
                           "initial scale from 2^100",
                           "initial scale up to 2^-100",
                           "growth below 3/2",
                           "back-off below 1/8",
                           "back-off above 3/4",
                           "several optimizers",
                           "shared tensor",
                           "empty tensor",
                           "tensor without a dimension",
                           "matrix",
                           "formats mixed in an optimizer",
                           "unscaled before the step",
                           "unscaled by the step",
                           "optimizer without a gradient",
                           "parameter without a gradient",
                           "first step skipped",
                           "two skips in a row",
                           "clean window after a skip",
                           "growth due with a clip",
                           "windows of unequal length",
                           "saved and loaded",
                           "saved after a skip",
                           "saved while counting"})
    EXPECT_GE(times[kind], kLeast) << kind;
}

}  // namespace
}  // namespace ampcheck::properties
