#include "subject/case_json.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "subject/json_reader.hpp"
#include "subject/json_text.hpp"
#include "subject/names.hpp"
#include "subject/norm_order_json.hpp"
#include "subject/number_json.hpp"

namespace ampcheck::subject {
namespace {

template <typename Enumeration, std::size_t N>
std::string_view word_of(const std::string_view (&words)[N], Enumeration value) {
  return words[static_cast<std::size_t>(value)];
}

// Writing. One overload a step; op and observe are the caller's.
void write_strings(JsonWriter& out, std::string_view key, const std::vector<std::string>& values) {
  out.key(key).begin_array();
  for (const std::string& value : values) out.text(value);
  out.end_array();
}

void write_integers(JsonWriter& out, std::string_view key,
                    const std::vector<std::int64_t>& values) {
  out.key(key).begin_array();
  for (const std::int64_t value : values) out.integer(value);
  out.end_array();
}

void write_fields(JsonWriter& out, const MakeScaler& step) {
  write_scalar(out.key("init_scale"), step.init_scale);
  write_scalar(out.key("growth_factor"), step.growth_factor);
  write_scalar(out.key("backoff_factor"), step.backoff_factor);
  out.key("growth_interval").integer(step.growth_interval);
  out.key("enabled").boolean(step.enabled);
}

void write_fields(JsonWriter& out, const MakeOptimizer& step) {
  out.key("name").text(step.name);
  out.key("kind").word(word_of(kOptimizerKinds, step.kind));
  out.key("form").word(word_of(kOptimizerForms, step.form));
  out.key("hyper").begin_object();
  for (const auto& [name, value] : step.hyper) write_scalar(out.key_of_any(name), value);
  out.end_object();
  out.key("parameters").begin_array();
  for (const Parameter& parameter : step.parameters) {
    out.begin_object().key("name").text(parameter.name);
    if (parameter.same_as.empty())
      write_tensor(out.key("initial"), parameter.initial);
    else
      out.key("same_as").text(parameter.same_as);
    out.end_object();
  }
  out.end_array();
  // Only to a subject that has said that it knows of them.
  if (step.master_weights) out.key("master_weights").boolean(true);
  if (step.schedule.empty()) return;
  out.key("schedule").begin_array();
  for (const Scalar& rate : step.schedule) write_scalar(out, rate);
  out.end_array();
}

void write_fields(JsonWriter& out, const Backward& step) {
  write_scalar(out.key("loss"), step.loss);
  out.key("coefficients").begin_array();
  for (const Coefficients& one : step.coefficients) {
    out.begin_object().key("parameter").text(one.parameter);
    write_tensor(out.key("values"), one.values);
    if (one.format != nullptr) out.key("format").text(one.format->name);
    out.end_object();
  }
  out.end_array();
  out.key("divide").integer(step.divide);
  out.key("last").boolean(step.last);
  out.key("own_product").boolean(step.own_product);
}

void write_fields(JsonWriter& out, const TokenWindow& step) {
  out.key("parameter").text(step.parameter);
  out.key("ignore_index").integer(step.ignore_index);
  out.key("reducer").word(word_of(kReducers, step.reducer));
  out.key("ranks").begin_array();
  for (const std::vector<TokenMicroBatch>& rank : step.ranks) {
    out.begin_array();
    for (const TokenMicroBatch& batch : rank) {
      out.begin_object();
      write_integers(out, "labels", batch.labels);
      write_integers(out, "times", batch.times);
      write_tensor(out.key("losses"), batch.losses);
      write_tensor(out.key("coefficients"), batch.coefficients);
      if (batch.rows != 1) out.key("rows").integer(batch.rows);
      out.end_object();
    }
    out.end_array();
  }
  out.end_array();
  // Only to a subject that has said that it knows of them.
  if (step.class_weights.format != nullptr)
    write_tensor(out.key("class_weights"), step.class_weights);
  if (step.shift != 0) out.key("shift").integer(step.shift);
}

template <typename Clip>
void write_clip(JsonWriter& out, const Clip& step) {
  write_strings(out, "optimizers", step.optimizers);
  write_scalar(out.key("limit"), step.limit);
}

void write_fields(JsonWriter& out, const Unscale& step) {
  out.key("optimizer").text(step.optimizer);
}
void write_fields(JsonWriter& out, const ClipNorm& step) {
  write_clip(out, step);
  write_norm_order(out.key("p"), step.p);
}
void write_fields(JsonWriter& out, const ClipValue& step) { write_clip(out, step); }
void write_fields(JsonWriter& out, const TakeStep& step) {
  out.key("optimizer").text(step.optimizer);
}
void write_fields(JsonWriter& out, const ZeroGrad& step) {
  out.key("optimizer").text(step.optimizer);
  out.key("to_none").boolean(step.to_none);
}
void write_fields(JsonWriter& out, const Recipe& step) {
  out.key("recipe").word(word_of(kRecipes, step.kind));
  out.key("batch").integer(step.batch);
  if (step.kind != RecipeKind::linear_lr) out.key("nominal_batch").integer(step.nominal_batch);
  if (step.kind == RecipeKind::weight_decay)
    write_scalar(out.key("weight_decay"), step.weight_decay);
  if (step.kind == RecipeKind::accumulate || step.kind == RecipeKind::weight_decay) return;
  out.key("warm_up").integer(step.warm_up);
  if (step.kind == RecipeKind::warm_up) {
    out.key("micro_batches").integer(step.micro_batches);
    out.key("epochs").integer(step.epochs);
    return;
  }
  out.key("base_batch").integer(step.base_batch);
  write_scalar(out.key("lr"), step.lr);
  out.key("step").integer(step.step);
}
void write_fields(JsonWriter&, const Update&) {}
void write_fields(JsonWriter&, const SaveLoad&) {}
void write_fields(JsonWriter&, const Observe&) {}

// Reading.
bool read_flag(const JsonReader& in, std::string_view key, bool otherwise) {
  const auto field = in.find(key);
  return field ? field->boolean() : otherwise;
}

template <typename Enumeration, std::size_t N>
Enumeration read_word(const JsonReader& in, std::string_view key,
                      const std::string_view (&words)[N], Enumeration otherwise) {
  const auto field = in.find(key);
  return field ? static_cast<Enumeration>(field->one_of(words)) : otherwise;
}

std::vector<std::string> read_names(const JsonReader& in) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const JsonReader element = in.element(i);
    if (std::ranges::find(names, element.name()) != names.end()) element.fail("a name that is new");
    names.emplace_back(element.name());
  }
  return names;
}

std::vector<std::int64_t> read_integers(const JsonReader& in, std::int64_t least) {
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < in.size(); ++i) values.push_back(in.element(i).integer(least));
  return values;
}

void read_fields(const JsonReader& in, MakeScaler& step) {
  step.init_scale = read_scalar(in.field("init_scale"));
  step.growth_factor = read_scalar(in.field("growth_factor"));
  step.backoff_factor = read_scalar(in.field("backoff_factor"));
  step.growth_interval = in.field("growth_interval").integer();
  step.enabled = read_flag(in, "enabled", true);
}

void read_hyper(const JsonReader& in, MakeOptimizer& step) {
  static constexpr std::string_view kSgd[] = {"lr", "momentum", "dampening", "weight_decay"};
  static constexpr std::string_view kAdam[] = {"lr", "beta1", "beta2", "eps", "weight_decay"};
  const bool sgd = step.kind == OptimizerKind::sgd;
  const auto known = sgd ? std::span<const std::string_view>(kSgd) : std::span(kAdam);
  in.each_field([&](const std::string& name, const JsonReader& value) {
    if (std::ranges::find(known, name) == known.end())
      value.fail(alternatives(known), "hyper-parameter " + text_in_short(name));
    step.hyper.emplace(name, read_scalar(value));
  });
  if (sgd) return;
  for (const std::string_view needed : {"beta1", "beta2", "eps"}) in.field(needed);
}

void read_fields(const JsonReader& in, MakeOptimizer& step) {
  step.name = in.field("name").name();
  step.kind = static_cast<OptimizerKind>(in.field("kind").one_of(kOptimizerKinds));
  step.form = read_word(in, "form", kOptimizerForms, OptimizerForm::loop);
  read_hyper(in.field("hyper"), step);
  const JsonReader parameters = in.field("parameters");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const JsonReader element = parameters.element(i);
    Parameter parameter;
    const JsonReader name = element.field("name");
    parameter.name = name.name();
    for (const Parameter& other : step.parameters)
      if (other.name == parameter.name) name.fail("a name that no other parameter has");
    if (const auto same_as = element.find("same_as"))
      parameter.same_as = same_as->name();
    else
      parameter.initial = read_tensor(element.field("initial"));
    step.parameters.push_back(std::move(parameter));
  }
  step.master_weights = read_flag(in, "master_weights", false);
  if (const auto schedule = in.find("schedule"))
    for (std::size_t i = 0; i < schedule->size(); ++i)
      step.schedule.push_back(read_scalar(schedule->element(i)));
}

void read_fields(const JsonReader& in, Backward& step) {
  step.loss = read_scalar(in.field("loss"));
  const JsonReader coefficients = in.field("coefficients");
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const JsonReader element = coefficients.element(i);
    const JsonReader name = element.field("parameter");
    for (const Coefficients& other : step.coefficients)
      if (other.parameter == name.name()) name.fail("a parameter that is not yet among them");
    Coefficients read{std::string(name.name()), read_tensor(element.field("values")), nullptr};
    if (const auto format = element.find("format")) read.format = &read_format(*format);
    step.coefficients.push_back(std::move(read));
  }
  if (const auto divide = in.find("divide")) step.divide = divide->integer(1);
  step.last = read_flag(in, "last", true);
  step.own_product = read_flag(in, "own_product", false);
}

TokenMicroBatch read_micro_batch(const JsonReader& in) {
  TokenMicroBatch batch;
  batch.labels = read_integers(in.field("labels"), std::numeric_limits<std::int64_t>::min());
  const JsonReader times = in.field("times"), losses = in.field("losses"),
                   coefficients = in.field("coefficients");
  batch.times = read_integers(times, 0);
  batch.losses = read_tensor(losses);
  batch.coefficients = read_tensor(coefficients);
  const std::size_t tokens = batch.labels.size();
  const std::string count = std::to_string(tokens);
  if (batch.times.size() != tokens) times.fail(count + " numbers, one a label");
  const auto rows_are = [&](const Tensor& tensor, std::size_t rank) {
    return tensor.shape.size() == rank && static_cast<std::size_t>(tensor.shape[0]) == tokens;
  };
  if (!rows_are(batch.losses, 1))
    losses.fail("the shape [" + count + "]", losses.field("shape").source());
  if (!rows_are(batch.coefficients, 2))
    coefficients.fail("the shape [" + count + ",n]", coefficients.field("shape").source());
  if (const auto rows = in.find("rows")) batch.rows = rows->integer(1);
  return batch;
}

void read_fields(const JsonReader& in, TokenWindow& step) {
  step.parameter = in.field("parameter").name();
  if (const auto index = in.find("ignore_index")) step.ignore_index = index->integer();
  step.reducer = read_word(in, "reducer", kReducers, Reducer::mean);
  const JsonReader ranks = in.field("ranks");
  if (ranks.size() == 0) ranks.fail("at least one rank");
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const JsonReader rank = ranks.element(r);
    auto& batches = step.ranks.emplace_back();
    for (std::size_t b = 0; b < rank.size(); ++b)
      batches.push_back(read_micro_batch(rank.element(b)));
  }
  if (const auto weights = in.find("class_weights")) step.class_weights = read_tensor(*weights);
  if (const auto shift = in.find("shift")) step.shift = shift->integer(0, 1);
}

template <typename Clip>
void read_clip(const JsonReader& in, Clip& step) {
  step.optimizers = read_names(in.field("optimizers"));
  step.limit = read_scalar(in.field("limit"));
}

void read_fields(const JsonReader& in, Unscale& step) {
  step.optimizer = in.field("optimizer").name();
}
void read_fields(const JsonReader& in, ClipNorm& step) {
  read_clip(in, step);
  if (const auto p = in.find("p")) step.p = read_norm_order(*p);
}
void read_fields(const JsonReader& in, ClipValue& step) { read_clip(in, step); }
void read_fields(const JsonReader& in, TakeStep& step) {
  step.optimizer = in.field("optimizer").name();
}
void read_fields(const JsonReader& in, ZeroGrad& step) {
  step.optimizer = in.field("optimizer").name();
  step.to_none = read_flag(in, "to_none", true);
}
void read_fields(const JsonReader& in, Recipe& step) {
  step.kind = static_cast<RecipeKind>(in.field("recipe").one_of(kRecipes));
  step.batch = in.field("batch").integer(1);
  if (step.kind != RecipeKind::linear_lr) step.nominal_batch = in.field("nominal_batch").integer(1);
  if (step.kind == RecipeKind::weight_decay)
    step.weight_decay = read_scalar(in.field("weight_decay"));
  if (step.kind == RecipeKind::accumulate || step.kind == RecipeKind::weight_decay) return;
  step.warm_up = in.field("warm_up").integer(1);
  if (step.kind == RecipeKind::warm_up) {
    step.micro_batches = in.field("micro_batches").integer(1);
    if (const auto epochs = in.find("epochs")) step.epochs = epochs->integer(1);
    return;
  }
  step.base_batch = in.field("base_batch").integer(1);
  step.lr = read_scalar(in.field("lr"));
  step.step = in.field("step").integer(0);
}
void read_fields(const JsonReader&, Update&) {}
void read_fields(const JsonReader&, SaveLoad&) {}
void read_fields(const JsonReader&, Observe&) {}

// A value of the index-th alternative, read.
template <std::size_t I = 0>
Action read_action(const JsonReader& in, std::size_t index) {
  if constexpr (I < std::variant_size_v<Action>) {
    if (index != I) return read_action<I + 1>(in, index);
    std::variant_alternative_t<I, Action> step;
    read_fields(in, step);
    return step;
  } else {
    std::abort();  // one_of gave an index of kOperations
  }
}

Step read_step(const JsonReader& in) {
  Step step{read_action(in, in.field("op").one_of(kOperations)), {}};
  if (const auto observe = in.find("observe")) {
    step.observe = read_names(*observe);
    for (std::size_t i = 0; i < step.observe.size(); ++i)
      if (shown_by(step.observe[i]) == Shown::nothing_known)
        observe->element(i).fail("the name of an observation");
  }
  return step;
}

}  // namespace

void append_case(std::string& text, const Case& one) {
  JsonWriter out(text);
  out.begin_object().key("id").text(one.id).key("clause").text(one.clause);
  out.key("seed").natural(one.seed).key("ranks").integer(one.ranks);
  out.key("steps").begin_array();
  for (const Step& step : one.steps) {
    out.begin_object().key("op").word(step.name());
    std::visit([&](const auto& action) { write_fields(out, action); }, step.action);
    if (!step.observe.empty()) write_strings(out, "observe", step.observe);
    out.end_object();
  }
  out.end_array().end_object();
}

std::string dump_case(const Case& one) {
  std::string text;
  append_case(text, one);
  return text;
}

Case read_case(const JsonReader& in) {
  in.expect_object("a case");
  Case one;
  one.id = in.field("id").name();
  if (const auto clause = in.find("clause")) one.clause = clause->text();
  if (const auto seed = in.find("seed")) one.seed = seed->natural();
  if (const auto ranks = in.find("ranks")) one.ranks = ranks->integer(1, kMaxRanks);
  const JsonReader steps = in.field("steps");
  const std::size_t count = steps.size();
  one.steps.reserve(count);
  for (std::size_t i = 0; i < count; ++i) one.steps.push_back(read_step(steps.element(i)));
  return one;
}

Case parse_case(std::string_view text, std::string_view name) {
  const JsonDocument document(text, name);
  return read_case(JsonReader(document));
}

}  // namespace ampcheck::subject
