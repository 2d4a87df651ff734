#include "properties/settings.hpp"

#include <string>
#include <string_view>

#include "properties/difference.hpp"
#include "reference/bad_session.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::BadSession;
using reference::Rational;

constexpr std::int64_t kMostCounted = std::int64_t{1} << 24;
constexpr std::int64_t kMostMicroBatches = 10000;

void check(bool holds, const std::string& field, const std::string& expected, const Scalar& x) {
  BadSession::unless(holds, field, expected, show(x.bits, *x.format));
}

// Finite in binary32, in which libraries keep settings.
Rational number(const Scalar& x, const std::string& field) {
  check(reference::binary32.is_finite(reference::convert({x.format, x.bits}, reference::binary32)),
        field, "a number that is finite in binary32", x);
  return reference::value_of(x.bits, *x.format);
}

// Names stand between slashes in observations.
void check_name(const std::string& name, const std::string& field) {
  BadSession::unless(!name.empty() && name.find('/') == std::string::npos, field,
                     "a name without '/'", '"' + name + '"');
}

void check_limit(const Scalar& limit) {
  // A clip to 0 takes everything away.
  check(number(limit, "limit").sign() >= 0, "limit", "a number of at least 0", limit);
}

struct Settings {
  void operator()(const MakeScaler& a) const {
    check(a.init_scale.format->is_finite(a.init_scale.bits) &&
              reference::value_of(a.init_scale.bits, *a.init_scale.format).sign() > 0,
          "init_scale", "a finite number above 0", a.init_scale);
    check(number(a.growth_factor, "growth_factor") > Rational(1), "growth_factor",
          "a number above 1", a.growth_factor);
    const Rational backoff = number(a.backoff_factor, "backoff_factor");
    check(backoff.sign() > 0 && backoff < Rational(1), "backoff_factor",
          "a number above 0 and below 1", a.backoff_factor);
    BadSession::unless(a.growth_interval >= 1, "growth_interval", "an integer of at least 1",
                       std::to_string(a.growth_interval));
  }
  void operator()(const MakeOptimizer& a) const {
    check_name(a.name, "name");
    BadSession::unless(!a.parameters.empty(), "parameters", "at least one", "none");
    for (const Parameter& p : a.parameters) check_name(p.name, "parameters." + p.name + ".name");
    for (const Scalar& rate : a.schedule) number(rate, "schedule");
    for (const auto& [name, x] : a.hyper)
      check(number(x, "hyper." + name).sign() >= 0, "hyper." + name, "a number of at least 0", x);
  }
  void operator()(const Recipe& a) const {
    // Products of two stay integers that every library counts.
    for (const std::int64_t count :
         {a.batch, a.nominal_batch, a.base_batch, a.warm_up, a.micro_batches, a.epochs, a.step})
      BadSession::unless(count <= kMostCounted, "recipe", "counts up to 2^24",
                         std::to_string(count));
    BadSession::unless(a.micro_batches * a.epochs <= kMostMicroBatches, "micro_batches",
                       "at most 10000 in all epochs", std::to_string(a.micro_batches * a.epochs));
    if (a.kind == RecipeKind::weight_decay)
      check(number(a.weight_decay, "weight_decay").sign() >= 0, "weight_decay",
            "a number of at least 0", a.weight_decay);
    if (a.kind == RecipeKind::linear_lr)
      check(number(a.lr, "lr").sign() >= 0, "lr", "a number of at least 0", a.lr);
  }
  void operator()(const ClipNorm& a) const { check_limit(a.limit); }
  void operator()(const ClipValue& a) const { check_limit(a.limit); }
  void operator()(const auto&) const {}
};

}  // namespace

void check_settings(const Step& step) { std::visit(Settings(), step.action); }

}  // namespace ampcheck::properties
