// The five rules as a reader of them would write them down, in plain floating point.
//
// Correct, and not fast. One object is one session; each rule is a small virtual function, so that
// a wrong implementation (properties/mutants/) is this one with a few lines changed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "subject/case.hpp"
#include "subject/hello.hpp"
#include "subject/observations.hpp"

namespace ampcheck::subject {

// Thrown out of a step: answered as the exception of a library.
struct Raised : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Textbook {
 public:
  virtual ~Textbook() = default;

  // Plays one step and answers it. Steps that make no sense (a name that does not exist) throw
  // std::runtime_error; Raised is part of the answer.
  Answer play(const Step& step, std::int64_t ranks);

  static Hello hello();

 protected:
  using Format = reference::NumberFormat;

  // Values of a format, as doubles.
  struct Array {
    const Format* format = nullptr;
    std::vector<std::int64_t> shape;
    std::vector<double> values;
  };
  struct Variable {
    std::string name;
    Array value;
    Array master;    // where there is one: what a step moves, and `value` is a copy of it
    Array gradient;  // the accumulator: binary32, or the variable's format where that is wider
    bool has_gradient = false;
    Unit unit = Unit::cleared;
    std::map<std::string, Array> state;
    bool has_master() const { return master.format != nullptr; }
  };
  struct Optimizer {
    std::string name;
    OptimizerKind kind = OptimizerKind::sgd;
    std::map<std::string, double> hyper;
    std::vector<std::string> variables;
    std::vector<double> schedule;   // of learning rates; none: that of `hyper`
    std::size_t scheduled = 0;      // steps that it has counted
    bool unscaled = false;          // in this window
    bool stepped = false;           // in this window
    bool found_non_finite = false;  // in this window
    double get(const char* key) const;
  };
  struct Scaler {
    double scale = 1, growth_factor = 2, backoff_factor = 0.5;
    std::int64_t growth_interval = 1, clean_steps = 0;
    bool enabled = false;
  };
  struct Saved {
    Scaler scaler;
    std::map<std::string, Variable> variables;
    std::map<std::string, Optimizer> optimizers;
  };

  // Scaling.
  virtual double seed(const Format& loss_format);
  virtual double scaled(double cotangent, double coefficient, const Format& f);
  virtual void backward(const Backward&);
  // What the user is told of a micro-batch.
  virtual double reported_loss(const Backward&);
  virtual double unscaled(double x, const Format& format);
  // Divides the optimizer's gradients by the scale, in place.
  virtual void divide_gradients(Optimizer&);
  // Checks and divides, once a window.
  virtual void unscale(Optimizer&);

  // Accumulation.
  virtual void accumulate(Variable&, const std::vector<double>& terms);
  virtual void zero_grad(Optimizer&);

  // Clipping, of unscaled gradients.
  virtual double norm(const std::vector<Variable*>&);
  // The same of p other than 2.
  virtual double p_norm(const std::vector<Variable*>&, double p);
  virtual double clip_factor(double norm, double limit);
  virtual void clip_norm(const std::vector<Variable*>&, double limit);
  // The norm, and it can be seen.
  double shown_norm(const std::vector<Variable*>&);
  virtual void clip_value(const std::vector<Variable*>&, double limit);

  // Skipping.
  virtual bool is_bad(double x);
  virtual bool non_finite(const std::vector<Variable*>&);
  virtual bool non_finite_after_unscale(const std::vector<Variable*>&);
  virtual bool step(Optimizer&);  // true where the step was taken
  virtual void take_step(Optimizer&);
  virtual void skip_step(Optimizer&);
  // Sets the rate of the step that follows, and counts it.
  virtual void follow_schedule(Optimizer&);
  // What the user is told of a step.
  virtual std::optional<bool> shown_stepped(bool stepped);
  virtual std::optional<bool> shown_found_non_finite(const Optimizer&);
  virtual void update();
  virtual void back_off();
  virtual void grow();
  virtual Saved save();
  virtual void load(const Saved&);

  // Misuse, refused before anything is done.
  virtual void refuse_settings(const MakeScaler&);
  virtual void refuse_mixed_sum(const Backward&);
  virtual void refuse_second_unscale(const Optimizer&);
  virtual void refuse_limit(double limit);
  virtual void refuse_second_step(const Optimizer&);
  virtual void refuse_idle_update();

  // Tokens.
  virtual bool is_counted(std::int64_t label, std::int64_t ignore_index);
  // The labels that the positions of a micro-batch are to predict.
  virtual std::vector<std::int64_t> targets(const TokenWindow&, const TokenMicroBatch&);
  virtual double class_weight(const TokenWindow&, std::int64_t label);
  // What the window's sums are divided by.
  virtual double window_count(const TokenWindow&);
  // What the summed token gradients of a micro-batch are multiplied with before they are added.
  virtual double micro_batch_weight(const TokenWindow&, const TokenMicroBatch&);
  virtual void token_window(const TokenWindow&);
  // The loss of the window that the user of this rank is told.
  virtual double token_loss(const TokenWindow&, std::size_t rank);
  // Before this rank is looked at. All ranks have the same, so that one copy stands for each.
  virtual void turn_to(std::size_t rank);

  // Recipes. Micro-batches of a window that is to see `nominal` examples.
  virtual std::int64_t micro_batches(std::int64_t nominal, std::int64_t batch);
  virtual double scaled_decay(double decay, std::int64_t nominal, std::int64_t batch);
  // Of the window that the micro-batch of this index, counted over all epochs, belongs to.
  virtual std::int64_t warm_up_micro_batches(const Recipe&, std::int64_t index);
  // The micro-batches after which the optimizer steps.
  virtual std::vector<std::int64_t> window_ends(const Recipe&);
  virtual double scaled_rate(const Recipe&);

  // p - rate·d, the last line of every optimizer.
  virtual double moved(double p, double rate, double d, const Format& format);
  void sgd(const Optimizer&, Variable&);
  // Master weights, after a step: one in the format of its copy, and all of them.
  virtual double copied(double master, const Format& format);
  virtual void copy_master(Variable&);
  virtual bool shows_masters() { return true; }
  virtual void adam(const Optimizer&, Variable&);
  // What decay makes of a parameter or its gradient before Adam's step.
  virtual void adam_decay(const Optimizer&, double& p, double& g, const Format& wide);
  // 1 - beta^t.
  virtual double bias_correction(double beta, double t);
  // √(v/(1 - beta2^t)) + epsilon.
  virtual double adam_denominator(double v, double correction, double epsilon, const Format& wide);
  Array& state(Variable&, const char* slot);

  // By any of its names.
  Variable& variable(const std::string& name);
  Optimizer& optimizer(const std::string& name);
  // The optimizer's variables that have a gradient.
  std::vector<Variable*> with_gradient(const Optimizer&);

  Scaler scaler_;
  std::map<std::string, Variable> variables_;
  std::map<std::string, Optimizer> optimizers_;
  bool overflow_ = false;  // of any optimizer, since the last update
  bool begun_ = false;     // a micro-batch came since the last update
  bool checked_ = false;   // and an optimizer was unscaled or stepped
  double cotangent_ = 1;
  double p_ = 2;  // of the clip that is being played

 private:
  struct Seen {  // by the step that is being answered
    std::optional<Scalar> seed, cotangent, loss, norm;
    const TokenWindow* window = nullptr;
    std::optional<bool> stepped, found_non_finite;
    const Recipe* recipe = nullptr;
  };
  Value look_recipe(const std::string& name);
  void act(const Step& step);
  void make(const MakeScaler&);
  void make(const MakeOptimizer&);
  std::vector<Variable*> with_gradient(const std::vector<std::string>& optimizers);
  Value look(const std::string& name, std::size_t rank);

  std::map<std::string, std::string> first_name_;  // of a variable, by its other names
  Seen seen_;
};

}  // namespace ampcheck::subject
