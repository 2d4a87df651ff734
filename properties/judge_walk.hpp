// A case and its answers, gone through step by step beside the reference: what judge() is made of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/alike_clips.hpp"
#include "properties/coverage/rounded_operations.hpp"
#include "properties/judge.hpp"
#include "reference/training_window.hpp"

namespace ampcheck::properties::judging {

using namespace subject;
using reference::Admissible;
using reference::NumberFormat;
using reference::Rational;
using reference::TrainingWindow;
using reference::Verdict;

class Walk {
 public:
  Walk(const Case& played, const std::vector<Answer>& answers, const reference::Policy& policy,
       unsigned decides, Coverage* coverage);
  Judgement run();

 private:
  const Step& step() const { return case_.steps[step_]; }
  const Answer& answer() const { return answers_[step_]; }
  bool decides(unsigned what) const { return (decides_ & what) != 0; }
  [[noreturn]] void fail(std::string kind, const std::string& observation, std::string expected,
                         std::string actual, std::string detail = "", std::size_t element = 0,
                         std::size_t rank = 0) const;
  void not_judged(const std::string& observation, const char* why);
  void counted(bool single);
  bool shows_parameter(std::size_t step) const;
  // An exception that a correct implementation may raise here, whatever the model makes of it.
  bool may_raise() const;
  // The scale moves in this step, and may then end in the error that is declared for its floor.
  bool moves_scale() const;
  void raised(const Answer& a);
  // Whether a step that misuses the library is to be taken as not done.
  bool refused(const Answer& a, const std::string& misuse);
  void one_step();
  void reference_step(const Answer& a);
  void look(const std::string& name, const Value& value, std::size_t rank);
  // One number against its set. Fails, or gives the pattern in the set's format.
  std::uint64_t compare(const std::string& name, std::uint64_t bits, const NumberFormat& format,
                        const Admissible& expected, bool deciding, std::size_t element,
                        std::size_t rank);
  void look_seed(const std::string& name, const Value& value, std::size_t rank);
  // What clips of the same gradients have given must not differ.
  void look_alike(const std::string& name, const NumberFormat& format,
                  const std::vector<std::uint64_t>& bits, std::size_t rank);
  void look_norm(const std::string& name, const Value& value, std::size_t rank);
  void look_scale(const std::string& name, const Value& value, std::size_t rank);
  std::string scales() const;
  void look_stepped(const std::string& name, const Value& value, std::size_t rank);
  // Of a disabled scaler, and of gradients that are not there, nothing needs to be found.
  void look_found(const std::string& name, const Value& value, std::size_t rank);
  // A step says whether it was taken, in one way or the other.
  void require_shown_verdict(const Answer& a) const;
  void look_recipe(const std::string& name, const Value& value, std::size_t rank);
  void look_loss(const std::string& name, const Value& value, std::size_t rank);
  // Tensors: the pattern of every element, compared where that decides.
  std::vector<Admissible> compare_all(const std::string& name, const Tensor& tensor,
                                      const std::vector<Admissible>& expected, bool deciding,
                                      std::size_t rank);
  void look_gradient(const std::string& name, const std::string& parameter, const Value& value,
                     std::size_t rank);
  void look_parameter(const std::string& name, const std::string& parameter, const Value& value,
                      std::size_t rank);
  void look_master(const std::string& name, const std::string& parameter, const Value& value,
                   std::size_t rank);
  // How often copies of equal masters were rounded up.
  void look_odds(const std::string& name, const std::string& parameter,
                 const std::vector<Admissible>& copies, std::size_t rank);
  // State, where the rules know it.
  void compare_state(const std::string& name, const std::string& parameter, const std::string& slot,
                     const Tensor& seen, std::size_t rank);
  void look_state(const std::string& name, const std::string& rest, const Value& value,
                  std::size_t rank);

  const Case& case_;
  const std::vector<Answer>& answers_;
  TrainingWindow model_;
  AlikeClips alike_;
  std::optional<RoundedOperations> rounded_;  // where they are counted
  unsigned decides_;
  std::size_t step_ = 0;
  std::vector<Rational> scales_before_;  // when the step began, where losses decide
  bool ended_ = false;
  bool dropped_ = false;            // a micro-batch, as the policy allows
  std::size_t deferred_until_ = 0;  // work of earlier steps is left to this one
  Judgement judgement_;             // counts only
  std::string undecided_;
  std::map<std::size_t, std::string> misuses_;  // by their steps
};

}  // namespace ampcheck::properties::judging
