// A subject that is a C++ object in this process.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "subject/subject.hpp"
#include "subject/textbook.hpp"

namespace ampcheck::subject {

class InProcess final : public Subject {
 public:
  // Makes a new session; each case gets one.
  using Factory = std::function<std::unique_ptr<Textbook>()>;

  InProcess(Hello hello, Factory make) : hello_(std::move(hello)), make_(std::move(make)) {}

  const Hello& hello() const override { return hello_; }
  using Subject::play;
  void play(const Source& next, const Sink& deliver) override;

 private:
  Hello hello_;
  Factory make_;
};

// The textbook as it is.
InProcess textbook_in_process();

}  // namespace ampcheck::subject
