// A case over the real numbers: what the rules say where no format rounds.
//
// The exact results in a vector file come from here. Only verdicts and scales, which formats decide
// (an overflow is one of a format), are taken from the reference's model.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "golden/vectors.hpp"
#include "reference/training_window.hpp"

namespace ampcheck::golden {

// Nothing: not a number, not finite, or not rational.
using ExactValues = std::vector<std::optional<reference::Rational>>;

class RealNumbers {
 public:
  explicit RealNumbers(std::span<const Real> reals) : reals_(reals) {}

  // `model` has played the step already.
  void apply(const subject::Step& step, const reference::TrainingWindow& model);

  // What an observation shows exactly; nothing where the rules over the reals do not say.
  std::optional<ExactValues> look(const std::string& observation,
                                  const reference::TrainingWindow& model) const;

 private:
  struct Parameter {
    ExactValues value, gradient;  // the gradient unscaled
    bool has_gradient = false;
    ExactValues buffer, first, second;  // momentum; moments of Adam
    std::int64_t steps = 0;
  };
  struct Optimizer {
    subject::OptimizerKind kind = subject::OptimizerKind::sgd;
    std::map<std::string, reference::Rational> hyper;
    std::vector<std::string> parameters;
    reference::Rational get(const char* key) const;
  };

  std::optional<reference::Rational> number(const subject::Scalar& scalar) const;
  ExactValues numbers(const subject::Tensor& tensor) const;
  Parameter& parameter(const std::string& name);
  std::vector<Parameter*> with_gradient(const std::vector<std::string>& optimizers);
  void make(const subject::MakeOptimizer& made);
  void add(const std::string& name, const ExactValues& terms);
  void token_window(const subject::TokenWindow& window);
  void clip_norm(const subject::ClipNorm& clip);
  void clip_value(const subject::ClipValue& clip);
  void step(const Optimizer& optimizer);
  void sgd(const Optimizer& optimizer, Parameter& p);
  void adam(const Optimizer& optimizer, Parameter& p);
  std::optional<reference::Rational> scale(const reference::TrainingWindow& model) const;

  std::span<const Real> reals_;
  std::map<std::string, Parameter> parameters_;
  std::map<std::string, std::string> names_;  // of shared parameters: the one that owns it
  std::map<std::string, Optimizer> optimizers_;
  std::optional<reference::Rational> norm_;  // of the last clip
};

}  // namespace ampcheck::golden
