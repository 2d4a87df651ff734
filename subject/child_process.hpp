// A child that talks in lines: standard input and output are pipes of ours, standard error is kept
// in part.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "subject/process_group.hpp"

namespace ampcheck::subject {

struct Command {
  std::vector<std::string> argv;
  std::string directory;                           // empty: ours
  std::map<std::string, std::string> environment;  // added to ours

  // The text as a shell reads it.
  static Command shell(std::string text) { return {{"/bin/sh", "-c", std::move(text)}, {}, {}}; }
};

// It could not be started: no such program, no such directory, no more processes.
struct CannotStart : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The child is in a process group of its own, which is killed whole, at the latest when this
// process ends.
//
// Nothing here blocks for longer than it is told: pipes are non-blocking, and reading goes on while
// there is something to write, so that the two sides cannot wait for each other.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;
  // Called for each line, without its end. Returns whether to go on.
  using OnLine = std::function<bool(std::string_view line)>;

  enum class Event {
    lines,      // at least one
    refused,    // on_line returned false
    ended,      // it closed its output, or it is gone
    timed_out,  //
    flooded,    // a line longer than allowed
  };

  explicit ChildProcess(const Command& command, std::size_t longest_line = std::size_t{16} << 20);
  ~ChildProcess();  // kills
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Queues a line; pump() writes it. The line end is added.
  void send(std::string_view line);

  // Moves bytes both ways until lines came in, or something else happened. What has already arrived
  // is read even where the deadline has passed. Lines that came in one piece are all delivered
  // before it returns.
  Event pump(Clock::time_point deadline, const OnLine& on_line);

  // Waits until it has ended by itself, with its input closed; after `patience` kills it. What
  // remained of its group is killed, too. Returns how it ended: "exited with 3", "was ended by
  // signal 11 (Segmentation fault)", "did not end and was killed". Later calls return the same.
  std::string finish(std::chrono::milliseconds patience);

  // The last 64 KiB of its standard error. Complete after finish().
  std::string_view stderr_tail() const;

 private:
  void write_some();
  enum class Got { bytes, nothing, end };
  Got read_stderr();
  Got read_stdout();
  void append_stderr(std::string_view bytes);
  Event take_lines(const OnLine& on_line, bool& any);
  bool is_gone(int& status);

  ProcessGroup group_;
  int pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  int handle_ = -1;  // a pidfd, readable once the child is gone; -1 where the kernel has none
  std::size_t longest_line_;
  std::string outgoing_, incoming_, stderr_;
  std::size_t written_ = 0;   // of outgoing_
  std::size_t searched_ = 0;  // of incoming_, without a line end
  bool at_end_ = false;       // of its output
  std::string ending_;
};

}  // namespace ampcheck::subject
