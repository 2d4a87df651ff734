// The order of a session, in which no right implementation refuses anything.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "subject/case.hpp"

namespace ampcheck::properties {

// Follows the steps of a case. What it refuses is misuse: a library may raise, ignore it or compute
// nonsense, and no rule says which.
class SessionOrder {
 public:
  // Throws reference::BadSession, with the field of the step. To be called with every step in turn.
  void check(const subject::Step& step);

  // A gradient of this optimizer was unscaled for another one that has it, too. In order, but not
  // for every library.
  bool has_unscaled_for_another(const std::string& optimizer) const;

 private:
  struct Gradient {
    bool is_there = false;
    bool is_stale = false;  // of a window that has ended
    bool is_zeros = false;  // cleared to zeros, and nothing added since
    bool is_unscaled = false;
  };
  struct Optimizer {
    std::vector<std::string> parameters;     // by their first names
    bool unscaled = false, stepped = false;  // since the last update
  };

  void operator()(const subject::MakeScaler&);
  void operator()(const subject::MakeOptimizer&);
  void operator()(const subject::Backward&);
  void operator()(const subject::TokenWindow&);
  void operator()(const subject::Unscale&);
  void operator()(const subject::ClipNorm& a) { clip(a.optimizers); }
  void operator()(const subject::ClipValue& a) { clip(a.optimizers); }
  void operator()(const subject::TakeStep&);
  void operator()(const subject::Update&);
  void operator()(const subject::ZeroGrad&);
  void operator()(const subject::SaveLoad&);
  void operator()(const subject::Recipe&) {}
  void operator()(const subject::Observe&) {}

  void add_to(const std::string& parameter, const std::string& field);
  void clip(const std::vector<std::string>& optimizers);
  bool has_gradient(const Optimizer& optimizer) const;
  void require_all_micro_batches() const;
  // Every gradient that this optimizer has is one of this window.
  void require_fresh(const std::string& optimizer) const;

  std::map<std::string, std::string> first_names_;
  std::map<std::string, Gradient> gradients_;  // by first names
  std::map<std::string, Optimizer> optimizers_;
  bool has_scaler_ = false;
  bool has_begun_ = false;  // the window has a micro-batch
  bool is_whole_ = false;   // and it has its last one
  bool is_judged_ = false;  // a gradient was unscaled or stepped on
};

}  // namespace ampcheck::properties
