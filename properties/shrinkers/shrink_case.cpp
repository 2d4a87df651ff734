#include "properties/shrinkers/shrink_case.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "properties/check_case.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;

template <typename T>
bool is(const Step& step) {
  return std::holds_alternative<T>(step.action);
}

bool starts_micro_batch(const Step& step) { return is<Backward>(step) || is<TokenWindow>(step); }

class Shrinker {
 public:
  explicit Shrinker(const Case& from) : from_(from) {}

  std::vector<Case> run() {
    windows();
    single_steps();
    tensors();
    elements();
    tokens();
    settings();
    numbers();
    return std::move(candidates_);
  }

 private:
  void offer(Case candidate) {
    if (candidate == from_) return;
    try {
      check_case(candidate);
    } catch (const std::exception&) {
      return;  // what was left out is needed
    }
    candidates_.push_back(std::move(candidate));
  }

  void change(const std::function<void(Case&)>& edit) {
    Case candidate = from_;
    edit(candidate);
    offer(std::move(candidate));
  }

  // A window: from its first micro-batch to the next window's.
  void windows() {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < from_.steps.size(); ++i)
      if (starts_micro_batch(from_.steps[i]) && (i == 0 || !starts_micro_batch(from_.steps[i - 1])))
        starts.push_back(i);
    if (starts.size() < 2) return;
    starts.push_back(from_.steps.size());
    const auto erase = [&](std::size_t first, std::size_t last) {
      change([&](Case& c) {
        c.steps.erase(c.steps.begin() + static_cast<std::ptrdiff_t>(starts[first]),
                      c.steps.begin() + static_cast<std::ptrdiff_t>(starts[last]));
      });
    };
    const std::size_t count = starts.size() - 1;
    if (count > 2) {
      erase(count / 2, count);
      erase(0, count / 2);
    }
    for (std::size_t w = count; w-- > 0;) erase(w, w + 1);
  }

  // What is left must still be a session as PROTOCOL.md has it, or it would blame right subjects:
  // what belongs to a window (step, update, zero_grad) stays, but a case may end anywhere.
  void single_steps() {
    for (std::size_t i = from_.steps.size(); i-- > 1;)
      if (!is<MakeOptimizer>(from_.steps[i - 1])) change([&](Case& c) { c.steps.resize(i); });
    for (std::size_t i = from_.steps.size(); i-- > 0;)
      if (may_go(i))
        change([&](Case& c) { c.steps.erase(c.steps.begin() + static_cast<std::ptrdiff_t>(i)); });
  }

  bool may_go(std::size_t i) const {
    const Step& step = from_.steps[i];
    if (is<ClipNorm>(step) || is<ClipValue>(step) || is<SaveLoad>(step) || is<Observe>(step) ||
        is<Recipe>(step))
      return true;
    // One of several micro-batches of a window.
    if (is<Backward>(step))
      return is<Backward>(from_.steps[i - 1]) ||
             (i + 1 < from_.steps.size() && is<Backward>(from_.steps[i + 1]));
    // An unscale that no clip needs: the step unscales by itself.
    if (!is<Unscale>(step)) return false;
    for (std::size_t j = i; j < from_.steps.size() && !starts_micro_batch(from_.steps[j]); ++j)
      if (is<ClipNorm>(from_.steps[j]) || is<ClipValue>(from_.steps[j])) return false;
    return true;
  }

  static void erase_name(std::vector<std::string>& names, const std::string& name) {
    names.erase(std::remove(names.begin(), names.end(), name), names.end());
  }

  void tensors() {
    std::set<std::string> all, tied;
    for (const Step& step : from_.steps)
      if (const auto* made = std::get_if<MakeOptimizer>(&step.action))
        for (const Parameter& p : made->parameters) {
          all.insert(p.name);
          if (!p.same_as.empty()) tied.insert({p.name, p.same_as});
        }
    if (all.size() < 2) return;
    for (const std::string& name : all)
      if (!tied.contains(name)) change([&](Case& c) { erase_parameter(c, name); });
  }

  static void erase_parameter(Case& c, const std::string& name) {
    std::string orphan;
    for (Step& step : c.steps) {
      if (auto* made = std::get_if<MakeOptimizer>(&step.action)) {
        auto& own = made->parameters;
        own.erase(std::remove_if(own.begin(), own.end(),
                                 [&](const Parameter& p) { return p.name == name; }),
                  own.end());
        if (own.empty()) orphan = made->name;
      } else if (auto* backward = std::get_if<Backward>(&step.action)) {
        auto& all = backward->coefficients;
        all.erase(std::remove_if(all.begin(), all.end(),
                                 [&](const Coefficients& x) { return x.parameter == name; }),
                  all.end());
      }
      std::erase_if(step.observe, [&](const std::string& seen) {
        return seen.ends_with("/" + name) || seen.find("/" + name + "/") != std::string::npos;
      });
    }
    if (orphan.empty()) return;
    std::erase_if(c.steps, [&](const Step& step) {
      const auto* made = std::get_if<MakeOptimizer>(&step.action);
      const auto* unscale = std::get_if<Unscale>(&step.action);
      const auto* taken = std::get_if<TakeStep>(&step.action);
      const auto* zeroed = std::get_if<ZeroGrad>(&step.action);
      return (made != nullptr && made->name == orphan) ||
             (unscale != nullptr && unscale->optimizer == orphan) ||
             (taken != nullptr && taken->optimizer == orphan) ||
             (zeroed != nullptr && zeroed->optimizer == orphan);
    });
    for (Step& step : c.steps) {
      if (auto* clip = std::get_if<ClipNorm>(&step.action)) erase_name(clip->optimizers, orphan);
      if (auto* clip = std::get_if<ClipValue>(&step.action)) erase_name(clip->optimizers, orphan);
    }
  }

  void elements() {
    for (const Step& step : from_.steps) {
      const auto* made = std::get_if<MakeOptimizer>(&step.action);
      if (made == nullptr) continue;
      for (const Parameter& p : made->parameters) {
        const std::size_t n = p.initial.bits.size();
        if (n < 2 || p.initial.shape.size() != 1) continue;
        if (n > 3) {
          erase_elements(p.name, n, n / 2, n);
          erase_elements(p.name, n, 0, n / 2);
        }
        if (n <= 32)
          for (std::size_t i = n; i-- > 0;) erase_elements(p.name, n, i, i + 1);
      }
    }
  }

  void erase_elements(const std::string& name, std::size_t n, std::size_t first, std::size_t last) {
    const auto cut = [&](Tensor& tensor) {
      if (tensor.bits.size() != n) return;
      tensor.bits.erase(tensor.bits.begin() + static_cast<std::ptrdiff_t>(first),
                        tensor.bits.begin() + static_cast<std::ptrdiff_t>(last));
      tensor.shape = {static_cast<std::int64_t>(tensor.bits.size())};
    };
    change([&](Case& c) {
      for (Step& step : c.steps) {
        if (auto* made = std::get_if<MakeOptimizer>(&step.action)) {
          for (Parameter& p : made->parameters)
            if (p.name == name) cut(p.initial);
        } else if (auto* backward = std::get_if<Backward>(&step.action)) {
          for (Coefficients& x : backward->coefficients)
            if (x.parameter == name) cut(x.values);
        }
      }
    });
  }

  void tokens() {
    for (std::size_t i = 0; i < from_.steps.size(); ++i) {
      const auto* window = std::get_if<TokenWindow>(&from_.steps[i].action);
      if (window == nullptr) continue;
      const auto edit = [&](const std::function<void(TokenWindow&, Case&)>& f) {
        change([&](Case& c) { f(std::get<TokenWindow>(c.steps[i].action), c); });
      };
      if (window->ranks.size() > 1)
        edit([](TokenWindow& w, Case& c) {
          w.ranks.pop_back();
          c.ranks = static_cast<std::int64_t>(w.ranks.size());
        });
      edit([](TokenWindow& w, Case&) { w.class_weights = {}; });
      edit([](TokenWindow& w, Case&) { w.shift = 0; });
      for (std::size_t r = 0; r < window->ranks.size(); ++r)
        for (std::size_t m = 0; m < window->ranks[r].size(); ++m) {
          if (window->ranks[r][m].rows > 1)
            edit([&](TokenWindow& w, Case&) { erase_row(w.ranks[r][m]); });
          if (window->ranks[r].size() > 1)
            edit([&](TokenWindow& w, Case&) {
              w.ranks[r].erase(w.ranks[r].begin() + static_cast<std::ptrdiff_t>(m));
            });
          for (std::size_t t = window->ranks[r][m].labels.size(); t-- > 0;) {
            edit([&](TokenWindow& w, Case&) { erase_token(w.ranks[r][m], t); });
            if (window->ranks[r][m].times[t] > 1)
              edit([&](TokenWindow& w, Case&) { w.ranks[r][m].times[t] = 1; });
          }
        }
    }
  }

  static void erase_row(TokenMicroBatch& micro_batch) {
    const std::size_t left = micro_batch.labels.size() -
                             micro_batch.labels.size() / static_cast<std::size_t>(micro_batch.rows);
    while (micro_batch.labels.size() > left)
      erase_token(micro_batch, micro_batch.labels.size() - 1);
    --micro_batch.rows;
  }

  static void erase_token(TokenMicroBatch& micro_batch, std::size_t t) {
    const std::size_t tokens = micro_batch.labels.size();
    const std::size_t n = micro_batch.coefficients.bits.size() / tokens;
    const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
    micro_batch.labels.erase(micro_batch.labels.begin() + at(t));
    micro_batch.times.erase(micro_batch.times.begin() + at(t));
    micro_batch.losses.bits.erase(micro_batch.losses.bits.begin() + at(t));
    auto& c = micro_batch.coefficients.bits;
    c.erase(c.begin() + at(t * n), c.begin() + at(t * n + n));
    micro_batch.losses.shape = {static_cast<std::int64_t>(tokens - 1)};
    micro_batch.coefficients.shape = {static_cast<std::int64_t>(tokens - 1),
                                      static_cast<std::int64_t>(n)};
  }

  void settings() {
    for (std::size_t i = 0; i < from_.steps.size(); ++i) {
      if (const auto* made = std::get_if<MakeScaler>(&from_.steps[i].action)) {
        const auto edit = [&](const std::function<void(MakeScaler&)>& f) {
          change([&](Case& c) { f(std::get<MakeScaler>(c.steps[i].action)); });
        };
        for (const std::uint64_t bits : simpler(made->init_scale.bits, *made->init_scale.format))
          if (bits != 0 && !made->init_scale.format->is_negative(bits))
            edit([&](MakeScaler& s) { s.init_scale.bits = bits; });
        for (const std::int64_t interval :
             {std::int64_t{1}, made->growth_interval / 2, made->growth_interval - 1})
          if (interval >= 1 && interval < made->growth_interval)
            edit([&](MakeScaler& scaler) { scaler.growth_interval = interval; });
      } else if (const auto* optimizer = std::get_if<MakeOptimizer>(&from_.steps[i].action)) {
        for (const auto& [name, value] : optimizer->hyper)
          if (name == "momentum" || name == "dampening" || name == "weight_decay")
            change([&, key = name](Case& c) {
              std::get<MakeOptimizer>(c.steps[i].action).hyper.erase(key);
            });
        if (optimizer->schedule.size() > 1)
          change([&](Case& c) { std::get<MakeOptimizer>(c.steps[i].action).schedule.pop_back(); });
        if (optimizer->master_weights) change([&](Case& c) { erase_masters(c, i); });
      }
    }
  }

  static void erase_masters(Case& c, std::size_t made) {
    auto& optimizer = std::get<MakeOptimizer>(c.steps[made].action);
    optimizer.master_weights = false;
    for (Step& step : c.steps)
      for (const Parameter& p : optimizer.parameters) erase_name(step.observe, "master/" + p.name);
  }

  // Simpler patterns: one; the same without its sign; half of its significant bits; without the
  // lowest.
  static std::vector<std::uint64_t> simpler(std::uint64_t bits, const NumberFormat& f) {
    const std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.fraction_bits;
    std::vector<std::uint64_t> result;
    const auto add = [&](std::uint64_t candidate) {
      if (candidate != bits && std::find(result.begin(), result.end(), candidate) == result.end())
        result.push_back(candidate);
    };
    if (!f.is_finite(bits)) {
      if (f.is_nan(bits)) add(f.nan());
      if (f.is_infinite(bits)) add(f.infinity());
      return result;
    }
    if (f.is_zero(bits)) return result;
    // From simple to less so; what is simpler already is not touched.
    const auto weight = [&](std::uint64_t b) {
      int ones = 0;
      for (std::uint64_t fraction = b & f.fraction_mask(); fraction != 0; fraction &= fraction - 1)
        ++ones;
      const auto field = static_cast<std::int64_t>(f.magnitude(b) >> f.fraction_bits) - f.bias();
      return 1000 * ones + 4 * static_cast<int>(field < 0 ? -field : field) +
             (f.is_negative(b) ? 1 : 0);
    };
    const int now = weight(bits);
    std::vector<std::uint64_t> all = {one, bits & ~f.sign_bit(), bits & ~f.fraction_mask(),
                                      bits & ~(f.fraction_mask() >> (f.fraction_bits / 2 + 1)),
                                      bits & (bits - 1)};
    const std::uint64_t exponent = f.magnitude(bits) & f.exponent_mask();
    const std::uint64_t half_way = (exponent / 2 + one / 2) & f.exponent_mask();
    const std::uint64_t step = std::uint64_t{1} << f.fraction_bits;
    const std::uint64_t rest = bits & ~f.exponent_mask();
    all.push_back(rest | half_way);
    all.push_back(rest | (exponent > one ? exponent - step : exponent + step));
    for (const std::uint64_t candidate : all)
      if (f.is_finite(candidate) && weight(candidate) < now) add(candidate);
    return result;
  }

  void numbers() {
    for (std::size_t i = 0; i < from_.steps.size(); ++i) {
      if (const auto* backward = std::get_if<Backward>(&from_.steps[i].action)) {
        for (std::size_t p = 0; p < backward->coefficients.size(); ++p) {
          const Tensor& values = backward->coefficients[p].values;
          if (values.bits.size() > 8) continue;
          for (std::size_t e = 0; e < values.bits.size(); ++e)
            for (const std::uint64_t bits : simpler(values.bits[e], *values.format))
              change([&](Case& c) {
                std::get<Backward>(c.steps[i].action).coefficients[p].values.bits[e] = bits;
              });
        }
      } else if (const auto* norm = std::get_if<ClipNorm>(&from_.steps[i].action)) {
        for (const std::uint64_t bits : simpler(norm->limit.bits, *norm->limit.format))
          change([&](Case& c) { std::get<ClipNorm>(c.steps[i].action).limit.bits = bits; });
      } else if (const auto* value = std::get_if<ClipValue>(&from_.steps[i].action)) {
        for (const std::uint64_t bits : simpler(value->limit.bits, *value->limit.format))
          change([&](Case& c) { std::get<ClipValue>(c.steps[i].action).limit.bits = bits; });
      }
    }
  }

  const Case& from_;
  std::vector<Case> candidates_;
};

}  // namespace

std::vector<Case> smaller_cases(const Case& from) { return Shrinker(from).run(); }

}  // namespace ampcheck::properties
