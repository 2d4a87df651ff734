// The operations of a case that round, each with its exact result.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/coverage/coverage.hpp"
#include "reference/training_window.hpp"
#include "subject/case.hpp"

namespace ampcheck::properties {

// Goes along with a case that is played on the reference's model, and counts where operands and
// scale are known. Where gradients are unscaled one by one as they come only `scale`, clips and
// steps are counted.
class RoundedOperations {
 public:
  RoundedOperations(Coverage& coverage, const reference::Policy& policy)
      : coverage_(coverage), policy_(policy) {}

  // Around each step, with the model before and after it.
  void before(const subject::Step&, const reference::TrainingWindow&);
  void after(const subject::Step&, const reference::TrainingWindow&);

 private:
  // Patterns of a tensor; none where one is not known.
  using Known = std::vector<std::optional<std::uint64_t>>;
  struct Tensor {
    const reference::NumberFormat* format = nullptr;
    Known values;
  };
  static Tensor known(const std::vector<reference::Admissible>&);

  void count(RoundedOperation, const reference::NumberFormat& result, std::uint64_t operand,
             const reference::NumberFormat& of, const reference::Exact& exact);
  void count_not_finite(RoundedOperation, const reference::NumberFormat& result,
                        std::uint64_t operand, const reference::NumberFormat& of);
  void note_gradients(const std::vector<std::string>& optimizers, const reference::TrainingWindow&);
  void delivered(const subject::Backward&, const reference::TrainingWindow&);
  void unscaled(const reference::TrainingWindow&);
  void clipped(const subject::ClipNorm&, const reference::TrainingWindow&);
  void stepped(const std::string& optimizer);

  Coverage& coverage_;
  const reference::Policy& policy_;
  std::map<std::string, subject::MakeOptimizer> optimizers_;
  // Before the step: gradients as they lie in the accumulator, those that are unscaled, and
  // parameters, by their first names.
  std::map<std::string, Tensor> scaled_, unscaled_, parameters_;
  bool steps_ = false;  // the optimizer's step is certain
};

}  // namespace ampcheck::properties
