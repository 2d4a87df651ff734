// A subject behind a process that speaks JSON lines (PROTOCOL.md §1).
//
// What crashes, hangs, floods or answers nonsense costs only its own case. Cases are sent several
// ahead, so that the process never waits; when it falls, each case that was in flight is played
// alone in a fresh process, and the one that falls alone is the culprit. Where none does, all are
// answered, and the fall is listed in Incidents::unexplained.
//
// A case's time runs while it is the oldest in flight: from its sending where nothing else was,
// else from the last answer. Thus a case behind a slow one is not blamed for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "subject/child_process.hpp"
#include "subject/subject.hpp"

namespace ampcheck::subject {

struct ProcessOptions {
  std::size_t in_flight = 32;
  std::chrono::milliseconds hello_time{60'000};
  // A case's time; a hello that declares case_seconds has its way.
  std::chrono::milliseconds case_time{10'000};
  std::chrono::milliseconds stop_time{5'000};
  std::size_t longest_line = std::size_t{16} << 20;
  // In one play(): so many falls in a row without an answer, and what is left is lost.
  int falls_in_a_row = 20;
  // So many starts in a row without a hello, and everything from then on is lost.
  int failed_starts = 3;
  // Every message both ways is appended here, {"to":"subject"|"ampcheck","message":…} a line.
  // Empty: nowhere.
  std::filesystem::path recorder;
};

// The file of messages can no longer be written.
struct CannotRecord : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Incidents {
  int restarts = 0;
  std::vector<std::string> unexplained;  // falls for which no case could be blamed
};

struct ProcessSession;

class ProcessSubject : public Subject {
 public:
  // Throws DidNotStart.
  explicit ProcessSubject(Command command, ProcessOptions options = {});
  ~ProcessSubject() override;  // asks it to stop

  const Hello& hello() const override;
  using Subject::play;
  void play(const Source& next, const Sink& deliver) override;
  void stop_at(std::chrono::steady_clock::time_point) override;

  const Incidents& incidents() const;
  std::vector<std::string> unexplained_falls() const override { return incidents().unexplained; }

 private:
  class Play;
  std::unique_ptr<ProcessSession> session_;
};

}  // namespace ampcheck::subject
