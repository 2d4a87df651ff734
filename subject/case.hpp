// A case: what a subject is asked to do, as data. PROTOCOL.md tells what every step means.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "subject/tensor.hpp"

namespace ampcheck::subject {

// Makes the loss scaler of the session.
struct MakeScaler {
  static constexpr std::string_view kName = "scaler";
  Scalar init_scale, growth_factor, backoff_factor;
  std::int64_t growth_interval = 1;
  bool enabled = true;
  friend bool operator==(const MakeScaler&, const MakeScaler&) = default;
};

// A parameter of an optimizer: new, with its initial values, or one that an earlier optimizer owns.
struct Parameter {
  std::string name;
  Tensor initial;       // unused where same_as is set
  std::string same_as;  // empty: a parameter of its own
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

enum class OptimizerKind { sgd, adam, adamw };
enum class OptimizerForm { loop, foreach, fused };

struct MakeOptimizer {
  static constexpr std::string_view kName = "optimizer";
  std::string name;
  OptimizerKind kind = OptimizerKind::sgd;
  OptimizerForm form = OptimizerForm::loop;
  // sgd: lr, momentum, dampening, weight_decay; adam, adamw: lr, beta1, beta2, eps, weight_decay.
  // What is absent is 0 (beta1, beta2 and eps are always given).
  std::map<std::string, Scalar> hyper;
  std::vector<Parameter> parameters;
  // Learning rates in the place of lr, one a step that the schedule counts, the last for all that
  // follow. None: lr.
  std::vector<Scalar> schedule = {};
  bool master_weights = false;  // parameters are copies of binary32 numbers, which are stepped on
  friend bool operator==(const MakeOptimizer&, const MakeOptimizer&) = default;
};

// Coefficients of the loss L = loss + sum c·(p - stop_gradient(p)) in one parameter.
struct Coefficients {
  std::string parameter;
  Tensor values;                         // of the parameter's shape
  const NumberFormat* format = nullptr;  // F, in which S·c is rounded; null: that of `values`

  const NumberFormat& delivered_in() const { return format != nullptr ? *format : *values.format; }
  friend bool operator==(const Coefficients&, const Coefficients&) = default;
};

// One micro-batch.
struct Backward {
  static constexpr std::string_view kName = "backward";
  Scalar loss;
  std::vector<Coefficients> coefficients;  // parameters that are absent get no gradient
  std::int64_t divide = 1;                 // the loop's `loss / divide`
  bool last = true;                        // the window ends with this micro-batch
  bool own_product = false;                // the subject forms S·c itself
  friend bool operator==(const Backward&, const Backward&) = default;
};

// Token losses of one micro-batch on one rank. Token t has loss losses[t] + sum_j
// coefficients[t][j]·(p_j - stop_gradient(p_j)), is there times[t] times, and has label labels[t].
struct TokenMicroBatch {
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> times;
  Tensor losses;        // shape [T]
  Tensor coefficients;  // shape [T, n], n the parameter's number of elements
  std::int64_t rows =
      1;  // texts of equal length, one after the other; only a shift tells them apart
  friend bool operator==(const TokenMicroBatch&, const TokenMicroBatch&) = default;
};

enum class Reducer { mean, sum };

// All micro-batches of one window on all ranks, normalized by the window's count of tokens.
struct TokenWindow {
  static constexpr std::string_view kName = "token_window";
  std::string parameter;
  std::int64_t ignore_index = -100;
  Reducer reducer = Reducer::mean;  // how gradients of several ranks are reduced
  std::vector<std::vector<TokenMicroBatch>> ranks;
  Tensor class_weights;    // by label; without a format: all are 1
  std::int64_t shift = 0;  // 1: the token at t of a row is to predict the label at t + 1
  friend bool operator==(const TokenWindow&, const TokenWindow&) = default;
};

struct Unscale {
  static constexpr std::string_view kName = "unscale";
  std::string optimizer;
  friend bool operator==(const Unscale&, const Unscale&) = default;
};

struct ClipNorm {
  static constexpr std::string_view kName = "clip_norm";
  std::vector<std::string> optimizers;  // one norm over the gradients of all of them
  Scalar limit;
  Scalar p = {&reference::binary32, 0x40000000};  // 2; above 0, or inf: the largest magnitude
  friend bool operator==(const ClipNorm&, const ClipNorm&) = default;
};

struct ClipValue {
  static constexpr std::string_view kName = "clip_value";
  std::vector<std::string> optimizers;
  Scalar limit;
  friend bool operator==(const ClipValue&, const ClipValue&) = default;
};

struct TakeStep {
  static constexpr std::string_view kName = "step";
  std::string optimizer;
  friend bool operator==(const TakeStep&, const TakeStep&) = default;
};

struct Update {
  static constexpr std::string_view kName = "update";
  friend bool operator==(const Update&, const Update&) = default;
};

struct ZeroGrad {
  static constexpr std::string_view kName = "zero_grad";
  std::string optimizer;
  bool to_none = true;
  friend bool operator==(const ZeroGrad&, const ZeroGrad&) = default;
};

// Everything is saved, thrown away, and rebuilt from what was saved. Only at a window's boundary.
struct SaveLoad {
  static constexpr std::string_view kName = "save_load";
  friend bool operator==(const SaveLoad&, const SaveLoad&) = default;
};

enum class RecipeKind { accumulate, weight_decay, warm_up, linear_lr };

// Asks the subject's own recipe. Each kind has fields of its own; the others are not used.
struct Recipe {
  static constexpr std::string_view kName = "recipe";
  RecipeKind kind = RecipeKind::accumulate;
  std::int64_t batch = 1;          // examples in a micro-batch; of linear_lr: in an effective batch
  std::int64_t nominal_batch = 1;  // of all but linear_lr
  Scalar weight_decay;             // of weight_decay
  std::int64_t warm_up = 1;        // of warm_up: in micro-batches; of linear_lr: in steps
  std::int64_t micro_batches = 1, epochs = 1;  // of warm_up: of one epoch; how many there are
  std::int64_t base_batch = 1;                 // of linear_lr, as are the following
  Scalar lr;
  std::int64_t step = 0;  // counted from 0
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

struct Observe {
  static constexpr std::string_view kName = "observe";
  friend bool operator==(const Observe&, const Observe&) = default;
};

using Action = std::variant<MakeScaler, MakeOptimizer, Backward, TokenWindow, Unscale, ClipNorm,
                            ClipValue, TakeStep, Update, ZeroGrad, SaveLoad, Recipe, Observe>;

struct Step {
  Action action;
  std::vector<std::string> observe;  // names of PROTOCOL.md §2, looked at after the action

  std::string_view name() const {
    return std::visit([](const auto& a) { return a.kName; }, action);
  }
  friend bool operator==(const Step&, const Step&) = default;
};

struct Case {
  std::string id;
  std::string clause;  // the clause that this case was made for
  std::uint64_t seed = 0;
  std::int64_t ranks = 1;
  std::vector<Step> steps;
  friend bool operator==(const Case&, const Case&) = default;
};

}  // namespace ampcheck::subject
