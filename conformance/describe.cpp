#include "conformance/describe.hpp"

#include <fmt/format.h>

#include "reference/rounding.hpp"

namespace ampcheck::conformance {
namespace {

using namespace subject;

constexpr std::size_t kShownElements = 12;

std::string hex(std::uint64_t bits, const NumberFormat& f) {
  return reference::to_hex_float(bits, f);
}

std::string join(const std::vector<std::string>& words, const char* separator = ", ") {
  return fmt::format("{}", fmt::join(words, separator));
}

struct Describe {
  std::string operator()(const MakeScaler& a) const {
    return fmt::format("scaler     S = {}, growth {} every {}, back-off {}{}",
                       describe(a.init_scale), hex(a.growth_factor.bits, *a.growth_factor.format),
                       a.growth_interval, hex(a.backoff_factor.bits, *a.backoff_factor.format),
                       a.enabled ? "" : ", disabled");
  }
  std::string operator()(const MakeOptimizer& a) const {
    static constexpr const char* kKinds[] = {"sgd", "adam", "adamw"};
    static constexpr const char* kForms[] = {"", " foreach", " fused"};
    std::vector<std::string> hyper, parameters, rates;
    for (const Scalar& rate : a.schedule) rates.push_back(hex(rate.bits, *rate.format));
    for (const auto& [name, value] : a.hyper)
      hyper.push_back(name + " " + hex(value.bits, *value.format));
    for (const Parameter& p : a.parameters)
      parameters.push_back(p.name +
                           (p.same_as.empty() ? " = " + describe(p.initial) : " is " + p.same_as));
    return fmt::format("optimizer  {}: {}{}({}) of {}{}", a.name, kKinds[static_cast<int>(a.kind)],
                       kForms[static_cast<int>(a.form)], join(hyper), join(parameters),
                       a.master_weights ? ", with master weights" : "") +
           (rates.empty() ? "" : fmt::format(", rates {}", join(rates)));
  }
  std::string operator()(const Backward& a) const {
    std::vector<std::string> parts;
    for (const Coefficients& c : a.coefficients) {
      parts.push_back(c.parameter + ": " + describe(c.values));
      if (c.format != nullptr) parts.back() += fmt::format(" delivered in {}", c.format->name);
    }
    return fmt::format("backward   {}{}{}", join(parts, "; "),
                       a.divide == 1 ? "" : fmt::format(", loss / {}", a.divide),
                       *a.loss.format == reference::binary32
                           ? ""
                           : fmt::format(", loss in {}", a.loss.format->name));
  }
  std::string operator()(const TokenWindow& a) const {
    std::vector<std::string> ranks;
    for (const auto& rank : a.ranks) {
      std::vector<std::string> micro_batches;
      for (const TokenMicroBatch& m : rank) {
        std::vector<std::string> tokens;
        for (std::size_t t = 0; t < m.labels.size(); ++t)
          tokens.push_back(fmt::format("{}{}", m.labels[t],
                                       m.times[t] == 1 ? "" : fmt::format("×{}", m.times[t])));
        micro_batches.push_back(fmt::format("labels [{}]{} losses {} coefficients {}", join(tokens),
                                            m.rows == 1 ? "" : fmt::format(" in {} rows", m.rows),
                                            describe(m.losses), describe(m.coefficients)));
      }
      ranks.push_back("{" + join(micro_batches, " | ") + "}");
    }
    return fmt::format(
        "tokens     {}, ignore {}, reducer {}{}{}: {}", a.parameter, a.ignore_index,
        a.reducer == Reducer::mean ? "mean" : "sum", a.shift == 0 ? "" : ", labels shifted",
        a.class_weights.format == nullptr ? "" : ", class weights " + describe(a.class_weights),
        join(ranks, " "));
  }
  std::string operator()(const Unscale& a) const { return "unscale    " + a.optimizer; }
  std::string operator()(const ClipNorm& a) const {
    const std::string p = a.p == ClipNorm{}.p ? "" : ", p = " + hex(a.p.bits, *a.p.format);
    return fmt::format("clip_norm  {} to {}{}", join(a.optimizers), describe(a.limit), p);
  }
  std::string operator()(const ClipValue& a) const {
    return fmt::format("clip_value {} to {}", join(a.optimizers), describe(a.limit));
  }
  std::string operator()(const TakeStep& a) const { return "step       " + a.optimizer; }
  std::string operator()(const Update&) const { return "update"; }
  std::string operator()(const ZeroGrad& a) const { return "zero_grad  " + a.optimizer; }
  std::string operator()(const SaveLoad&) const { return "save_load"; }
  std::string operator()(const Recipe& a) const {
    switch (a.kind) {
      case RecipeKind::accumulate:
        return fmt::format("recipe     accumulate: nominal batch {}, batch {}", a.nominal_batch,
                           a.batch);
      case RecipeKind::weight_decay:
        return fmt::format("recipe     weight decay {}: nominal batch {}, batch {}",
                           describe(a.weight_decay), a.nominal_batch, a.batch);
      case RecipeKind::warm_up:
        return fmt::format(
            "recipe     warm-up over {}: nominal batch {}, batch {}, {} epochs of {} micro-batches",
            a.warm_up, a.nominal_batch, a.batch, a.epochs, a.micro_batches);
      case RecipeKind::linear_lr:
        return fmt::format("recipe     rate {} at batch {}: batch {}, step {} of a warm-up of {}",
                           describe(a.lr), a.base_batch, a.batch, a.step, a.warm_up);
    }
    return "recipe";
  }
  std::string operator()(const Observe&) const { return "observe"; }
};

}  // namespace

std::string describe(const Scalar& x) {
  return fmt::format("{} = {} ({})", reference::to_hex_bits(x.bits, *x.format),
                     hex(x.bits, *x.format), x.format->name);
}

std::string describe(const Tensor& tensor) {
  if (tensor.format == nullptr) return "[]";
  std::vector<std::string> elements;
  const std::size_t n = tensor.bits.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (n > kShownElements && i == kShownElements / 2) {
      elements.push_back(fmt::format("… {} more …", n - kShownElements));
      i = n - kShownElements / 2;
    }
    elements.push_back(hex(tensor.bits[i], *tensor.format));
  }
  return fmt::format("[{}] ({})", join(elements), tensor.format->name);
}

std::string describe(const Step& step) { return std::visit(Describe{}, step.action); }

std::string describe(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* list = std::get_if<Integers>(&value)) {
    std::vector<std::string> numbers;
    for (const std::int64_t one : list->values) numbers.push_back(std::to_string(one));
    return "[" + join(numbers) + "]";
  }
  if (const auto* scalar = std::get_if<Scalar>(&value)) return describe(*scalar);
  if (const auto* seen = std::get_if<ObservedTensor>(&value)) {
    static constexpr const char* kUnits[] = {"", " scaled", " unscaled", " cleared",
                                             " unit unknown"};
    return describe(seen->tensor) + kUnits[static_cast<int>(seen->unit)];
  }
  return "null";
}

std::string describe(const Observation& observation) {
  std::vector<std::string> values;
  for (const Value& value : observation) values.push_back(describe(value));
  return join(values, " | ");
}

std::vector<std::string> case_table(const Case& shown, const std::vector<Answer>& answers,
                                    std::size_t marked) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < shown.steps.size(); ++i) {
    lines.push_back(
        fmt::format("{} {:2}  {}", i == marked ? "->" : "  ", i, describe(shown.steps[i])));
    if (i >= answers.size()) continue;
    const Answer& answer = answers[i];
    if (answer.kind == Answer::Kind::raised) lines.push_back("         raised " + answer.text);
    if (answer.kind == Answer::Kind::unsupported)
      lines.push_back("         unsupported: " + answer.text);
    if (answer.kind == Answer::Kind::with)
      lines.push_back(fmt::format("         done with step {}", answer.with));
    for (const auto& [name, observation] : answer.observed)
      lines.push_back(fmt::format("         {} = {}", name, describe(observation)));
  }
  return lines;
}

}  // namespace ampcheck::conformance
