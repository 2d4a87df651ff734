// The interface of everything that can be judged, whatever the transport.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "subject/case.hpp"
#include "subject/hello.hpp"
#include "subject/observations.hpp"

namespace ampcheck::subject {

// The subject did not start, or its hello is unusable. The program then exits with 3.
struct DidNotStart : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Subject {
 public:
  // The next case, or null where there is none for now: it is asked again after a delivery, and
  // play() returns when it has none and every reply was delivered. So a source may wait for replies
  // before it goes on. The case stays valid until its reply was delivered.
  using Source = std::function<const Case*()>;
  using Sink = std::function<void(const Case&, Reply)>;

  virtual ~Subject() = default;
  virtual const Hello& hello() const = 0;

  // Plays cases until the source has no more, and delivers one reply a case, in any order. A
  // subject may draw several cases before it delivers the first reply.
  virtual void play(const Source& next, const Sink& deliver) = 0;

  // From this time on play() waits for nobody: what has no answer then is lost. A subject that
  // cannot hang need not care.
  virtual void stop_at(std::chrono::steady_clock::time_point) {}

  // How it fell so far where no case could be blamed: "was ended by signal 9 (Killed)".
  virtual std::vector<std::string> unexplained_falls() const { return {}; }

  // Plays one case.
  Reply play(const Case& one) {
    const Case* pending = &one;
    Reply result;
    play([&] { return std::exchange(pending, nullptr); },
         [&](const Case&, Reply reply) { result = std::move(reply); });
    return result;
  }
};

}  // namespace ampcheck::subject
