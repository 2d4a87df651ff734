// The textbook's side of the protocol: steps in, observations out.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "subject/floating_point.hpp"
#include "subject/textbook.hpp"

namespace ampcheck::subject {
namespace {

using reference::binary32;

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

double value_of(const Scalar& x) { return to_double(x.bits, *x.format); }

}  // namespace

Hello Textbook::hello() {
  using namespace reference;
  Hello hello;
  hello.name = "textbook";
  hello.version = "1";
  hello.language = "C++";
  hello.operations = {"scaler",
                      "optimizer",
                      "backward",
                      "token_window",
                      "unscale",
                      "clip_norm",
                      "clip_value",
                      "step",
                      "update",
                      "zero_grad",
                      "save_load",
                      "observe",
                      "own_product",
                      "misuse",
                      "class_weights",
                      "shift",
                      "master_weights",
                      "schedule",
                      "recipe",
                      "recipe_accumulate",
                      "recipe_weight_decay",
                      "recipe_warm_up",
                      "recipe_linear_lr"};
  hello.formats = {
      {"loss", {&binary16, &bfloat16, &binary32, &binary64}},
      {"coefficient", {&binary16, &bfloat16, &binary32, &binary64, &float8_e4m3fn, &float8_e5m2}},
      {"parameter", {&binary16, &bfloat16, &binary32, &binary64}}};
  hello.forms = {{"sgd", {"loop"}}, {"adam", {"loop"}}, {"adamw", {"loop"}}};
  hello.norms.clear();
  for (const double p : {1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()})
    hello.norms.push_back({&binary32, to_bits(p, binary32)});
  hello.profiles = {"scaler", "loop", "tokens"};
  const auto word = [](const char* text) { return PolicyValue{text, {}}; };
  const auto number = [](double x) {
    return PolicyValue{"", {&reference::binary64, to_bits(x, reference::binary64)}};
  };
  hello.policy.declared = {
      {"unscale", word("division")},
      {"unscale_format", word("binary32")},
      {"output_format", word("gradient")},
      {"scale_format", word("binary32")},
      {"factor_format", word("binary64")},
      {"growth_rule", word("n")},
      {"growth_limit", word("refuse")},
      {"accumulation", word("scaled")},
      {"update_at", word("window")},
      {"norm_input", word("unscaled")},
      {"norm_algorithm", word("sum_of_squares")},
      {"clip_formula", word("quotient")},
      {"clip_epsilon", number(0)},
      {"unneeded_clip", word("identity")},
      {"step_arithmetic", word("separate")},
      {"floor", number(0x1p-126)},
  };
  return hello;
}

Answer Textbook::play(const Step& step, std::int64_t ranks) {
  seen_ = {};
  Answer answer;
  try {
    act(step);
  } catch (const Raised& error) {
    answer.kind = Answer::Kind::raised;
    answer.text = std::string("Raised: ") + error.what();
    return answer;
  }
  const auto all = static_cast<std::size_t>(ranks);
  for (const std::string& name : step.observe) answer.observed[name].resize(all);
  for (std::size_t rank = 0; rank < all; ++rank) {
    turn_to(rank);
    for (auto& [name, values] : answer.observed) values[rank] = look(name, rank);
  }
  return answer;
}

void Textbook::act(const Step& step) {
  std::visit(Overloaded{
                 [&](const MakeScaler& a) { make(a); },
                 [&](const MakeOptimizer& a) { make(a); },
                 [&](const Backward& a) {
                   refuse_mixed_sum(a);
                   backward(a);
                   seen_.loss = Scalar{a.loss.format, to_bits(reported_loss(a), *a.loss.format)};
                   begun_ = true;
                 },
                 [&](const TokenWindow& a) {
                   token_window(a);
                   seen_.window = &a;
                   begun_ = true;
                 },
                 [&](const Unscale& a) {
                   Optimizer& o = optimizer(a.optimizer);
                   refuse_second_unscale(o);
                   unscale(o);
                   checked_ = begun_;
                   seen_.found_non_finite = shown_found_non_finite(o);
                 },
                 [&](const ClipNorm& a) {
                   refuse_limit(value_of(a.limit));
                   for (const std::string& name : a.optimizers) unscale(optimizer(name));
                   p_ = value_of(a.p);
                   clip_norm(with_gradient(a.optimizers), value_of(a.limit));
                 },
                 [&](const ClipValue& a) {
                   refuse_limit(value_of(a.limit));
                   for (const std::string& name : a.optimizers) unscale(optimizer(name));
                   clip_value(with_gradient(a.optimizers), value_of(a.limit));
                 },
                 [&](const TakeStep& a) {
                   Optimizer& o = optimizer(a.optimizer);
                   refuse_second_step(o);
                   checked_ = begun_;
                   seen_.stepped = shown_stepped(this->step(o));
                   o.stepped = true;
                   seen_.found_non_finite = shown_found_non_finite(o);
                 },
                 [&](const Update&) {
                   refuse_idle_update();
                   update();
                   begun_ = checked_ = false;
                   for (auto& [name, o] : optimizers_) o.stepped = false;
                 },
                 [&](const ZeroGrad& a) { zero_grad(optimizer(a.optimizer)); },
                 [&](const SaveLoad&) {
                   const Saved saved = save();
                   scaler_ = {};
                   variables_.clear();
                   optimizers_.clear();
                   load(saved);
                   for (auto& [name, o] : optimizers_) Textbook::zero_grad(o);
                 },
                 [&](const Recipe& a) { seen_.recipe = &a; },
                 [&](const Observe&) {},
             },
             step.action);
}

void Textbook::make(const MakeScaler& a) {
  refuse_settings(a);
  scaler_ = {a.enabled ? narrow(value_of(a.init_scale), binary32) : 1,
             value_of(a.growth_factor),
             value_of(a.backoff_factor),
             a.growth_interval,
             0,
             a.enabled};
}

void Textbook::make(const MakeOptimizer& a) {
  Optimizer o;
  o.name = a.name;
  o.kind = a.kind;
  for (const auto& [key, x] : a.hyper) o.hyper[key] = value_of(x);
  for (const Scalar& rate : a.schedule) o.schedule.push_back(value_of(rate));
  for (const Parameter& p : a.parameters) {
    if (!p.same_as.empty()) {
      first_name_[p.name] = variable(p.same_as).name;
      o.variables.push_back(first_name_[p.name]);
      continue;
    }
    Variable v;
    v.name = p.name;
    v.value = {p.initial.format, p.initial.shape, {}};
    for (const std::uint64_t bits : p.initial.bits)
      v.value.values.push_back(to_double(bits, *p.initial.format));
    if (a.master_weights) v.master = {&binary32, p.initial.shape, v.value.values};
    v.gradient = {
        p.initial.format->width == 64 ? p.initial.format : &binary32, p.initial.shape, {}};
    o.variables.push_back(p.name);
    variables_[p.name] = std::move(v);
  }
  optimizers_[a.name] = std::move(o);
}

Textbook::Variable& Textbook::variable(const std::string& name) {
  const auto first = first_name_.find(name);
  const auto found = variables_.find(first == first_name_.end() ? name : first->second);
  if (found == variables_.end()) throw std::runtime_error("no parameter " + name);
  return found->second;
}

Textbook::Optimizer& Textbook::optimizer(const std::string& name) {
  const auto found = optimizers_.find(name);
  if (found == optimizers_.end()) throw std::runtime_error("no optimizer " + name);
  return found->second;
}

std::vector<Textbook::Variable*> Textbook::with_gradient(const Optimizer& o) {
  std::vector<Variable*> result;
  for (const std::string& name : o.variables)
    if (variable(name).has_gradient) result.push_back(&variable(name));
  return result;
}

std::vector<Textbook::Variable*> Textbook::with_gradient(const std::vector<std::string>& names) {
  std::vector<Variable*> result;
  for (const std::string& name : names)
    for (Variable* v : with_gradient(optimizer(name)))
      if (std::find(result.begin(), result.end(), v) == result.end()) result.push_back(v);
  return result;
}

Value Textbook::look(const std::string& name, std::size_t rank) {
  const auto show = [](const Array& array, Unit unit) {
    ObservedTensor seen{{array.format, array.shape, {}}, unit};
    for (const double x : array.values) seen.tensor.bits.push_back(to_bits(x, *array.format));
    return seen;
  };
  const auto scalar = [](const std::optional<Scalar>& x) { return x ? Value(*x) : Value(Null{}); };
  const auto flag = [](const std::optional<bool>& x) { return x ? Value(*x) : Value(Null{}); };
  if (name == "seed") return scalar(seen_.seed);
  if (name == "cotangent") return scalar(seen_.cotangent);
  if (name == "norm") return scalar(seen_.norm);
  if (name == "loss") {
    if (seen_.window == nullptr) return scalar(seen_.loss);
    return Scalar{&binary32, to_bits(token_loss(*seen_.window, rank), binary32)};
  }
  for (const char* recipe : {"accumulate", "weight_decay", "window_ends", "learning_rate"})
    if (name == recipe) return look_recipe(name);
  if (name == "stepped") return flag(seen_.stepped);
  if (name == "found_non_finite") return flag(seen_.found_non_finite);
  if (name == "scale") {
    if (!scaler_.enabled) return Null{};
    return Scalar{&binary32, to_bits(scaler_.scale, binary32)};
  }
  if (name == "growth_count") {
    if (!scaler_.enabled) return Null{};
    return scaler_.clean_steps;
  }
  const std::size_t slash = name.find('/');
  const std::string kind = name.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : name.substr(slash + 1);
  if (kind == "parameter") return show(variable(rest).value, Unit::none);
  if (kind == "master") {
    if (!variable(rest).has_master() || !shows_masters()) return Null{};
    return show(variable(rest).master, Unit::none);
  }
  if (kind == "gradient") {
    const Variable& v = variable(rest);
    if (!v.has_gradient) return ObservedTensor{{}, Unit::cleared};
    return show(v.gradient, v.unit);
  }
  if (kind == "state") {
    const std::size_t second = rest.find('/');
    const Variable& v = variable(rest.substr(0, second));
    const auto found = v.state.find(rest.substr(second + 1));
    if (found != v.state.end()) return show(found->second, Unit::none);
  }
  return Null{};
}

}  // namespace ampcheck::subject
