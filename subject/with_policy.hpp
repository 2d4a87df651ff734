// A subject that is taken at another word than its own.
#pragma once

#include <memory>
#include <utility>

#include "subject/subject.hpp"

namespace ampcheck::subject {

class WithPolicy final : public Subject {
 public:
  WithPolicy(std::unique_ptr<Subject> played, Policy policy)
      : played_(std::move(played)), hello_(played_->hello()) {
    hello_.policy = std::move(policy);
  }

  void take_at(Policy policy) { hello_.policy = std::move(policy); }

  const Hello& hello() const override { return hello_; }
  using Subject::play;
  void play(const Source& next, const Sink& deliver) override { played_->play(next, deliver); }
  void stop_at(std::chrono::steady_clock::time_point end) override { played_->stop_at(end); }
  std::vector<std::string> unexplained_falls() const override {
    return played_->unexplained_falls();
  }

 private:
  std::unique_ptr<Subject> played_;
  Hello hello_;
};

}  // namespace ampcheck::subject
