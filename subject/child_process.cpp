#include "subject/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

extern char** environ;

namespace ampcheck::subject {
namespace {

constexpr std::size_t kStderrKept = std::size_t{64} << 10;
constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr int kPipeSize = 1 << 20;

using std::chrono::milliseconds;

void close_once(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

struct Pipe {
  int reading = -1, writing = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw CannotStart(fmt::format("no pipe: {}", std::strerror(errno)));
    reading = above_standard(ends[0]);
    writing = above_standard(ends[1]);
  }
  ~Pipe() {
    close_once(reading);
    close_once(writing);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // Where we were started with a standard stream closed, a pipe gets its number; the child's dup2
  // would then overwrite one pipe with another.
  static int above_standard(int end) {
    if (end > 2) return end;
    const int moved = fcntl(end, F_DUPFD_CLOEXEC, 3);
    close(end);
    return moved;
  }

  // Our end. Enlarging is a wish: a system may allow less.
  static int take(int& end) {
    fcntl(end, F_SETFL, O_NONBLOCK);
    fcntl(end, F_SETPIPE_SZ, kPipeSize);
    return std::exchange(end, -1);
  }
};

std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!command.environment.contains(std::string(text.substr(0, text.find('=')))))
      all.emplace_back(text);
  }
  for (const auto& [name, value] : command.environment) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What a child that could not become its program tells its parent.
struct Failure {
  enum class What : int { directory, program } what;
  int error;
};

// In the child, between fork and exec: only calls that are safe while other threads hold locks.
[[noreturn]] void become(const char* directory, char* const* argv, char* const* environment,
                         const int (&ends)[3], int failures, pid_t group) {
  setpgid(0, group);
  for (int fd = 0; fd < 3; ++fd) dup2(ends[fd], fd);
  // What a parent ignores or blocks, its children inherit.
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  Failure failure{Failure::What::directory, 0};
  if (directory == nullptr || chdir(directory) == 0) {
    execvpe(argv[0], argv, environment);
    failure.what = Failure::What::program;
  }
  failure.error = errno;
  // If even this fails, the parent sees an early end.
  [[maybe_unused]] const ssize_t written = write(failures, &failure, sizeof failure);
  _exit(127);
}

ProcessGroup new_group() {
  try {
    return ProcessGroup();
  } catch (const std::system_error& error) {
    throw CannotStart(error.what());
  }
}

std::string signal_text(int number) {
  const char* name = sigdescr_np(number);
  return fmt::format("was ended by signal {} ({})", number, name == nullptr ? "unknown" : name);
}

}  // namespace

ChildProcess::ChildProcess(const Command& command, std::size_t longest_line)
    : group_(new_group()), longest_line_(longest_line) {
  // A child that is gone must cost an error of write(), not our life.
  static std::once_flag once;
  std::call_once(once, [] { signal(SIGPIPE, SIG_IGN); });

  if (command.argv.empty()) throw CannotStart("an empty command");
  std::vector<std::string> words = command.argv, variables = environment_of(command);
  const std::vector<char*> argv = pointers_to(words), environment = pointers_to(variables);
  const char* directory = command.directory.empty() ? nullptr : command.directory.c_str();
  Pipe in, out, err, failures;
  pid_ = fork();
  if (pid_ < 0) throw CannotStart(fmt::format("no process: {}", std::strerror(errno)));
  if (pid_ == 0) {
    const int ends[3] = {in.reading, out.writing, err.writing};
    become(directory, argv.data(), environment.data(), ends, failures.writing, group_.id());
  }
  setpgid(pid_, group_.id());  // on both sides, so that neither is late

  close_once(failures.writing);
  Failure failure;
  ssize_t got;
  do {
    got = read(failures.reading, &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got == sizeof failure) {
    waitpid(pid_, nullptr, 0);
    const bool at_directory = failure.what == Failure::What::directory;
    throw CannotStart(fmt::format("{}: {}", at_directory ? command.directory : command.argv[0],
                                  std::strerror(failure.error)));
  }
  in_ = Pipe::take(in.writing);
  out_ = Pipe::take(out.reading);
  err_ = Pipe::take(err.reading);
  handle_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (handle_ >= 0) fcntl(handle_, F_SETFD, FD_CLOEXEC);
}

ChildProcess::~ChildProcess() {
  finish(milliseconds(0));
  for (int* fd : {&in_, &out_, &err_, &handle_}) close_once(*fd);
}

void ChildProcess::send(std::string_view line) {
  outgoing_ += line;
  outgoing_ += '\n';
}

void ChildProcess::write_some() {
  const ssize_t count = write(in_, outgoing_.data() + written_, outgoing_.size() - written_);
  if (count > 0) {
    written_ += static_cast<std::size_t>(count);
  } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
    close_once(in_);  // it reads no more; what it still writes is read until its end
    written_ = outgoing_.size();
  }
  if (written_ == outgoing_.size()) {
    outgoing_.clear();
    written_ = 0;
  }
}

void ChildProcess::append_stderr(std::string_view bytes) {
  stderr_ += bytes;
  if (stderr_.size() > 2 * kStderrKept) stderr_.erase(0, stderr_.size() - kStderrKept);
}

// One piece only: a child that writes without end must not keep us from its answers and its
// deadline.
ChildProcess::Got ChildProcess::read_stderr() {
  char piece[kPiece];
  const ssize_t count = read(err_, piece, sizeof piece);
  if (count > 0) append_stderr({piece, static_cast<std::size_t>(count)});
  if (count > 0) return Got::bytes;
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Got::nothing;
  close_once(err_);
  return Got::end;
}

ChildProcess::Got ChildProcess::read_stdout() {
  char piece[kPiece];
  const ssize_t count = read(out_, piece, sizeof piece);
  if (count > 0) incoming_.append(piece, static_cast<std::size_t>(count));
  if (count > 0) return Got::bytes;
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? Got::nothing : Got::end;
}

ChildProcess::Event ChildProcess::take_lines(const OnLine& on_line, bool& any) {
  std::size_t start = 0;
  Event event = Event::lines;
  for (;;) {
    const std::size_t end = incoming_.find('\n', searched_);
    const std::size_t length = std::min(end, incoming_.size()) - start;
    if (length > longest_line_) {
      event = Event::flooded;
      break;
    }
    if (end == std::string::npos) {
      searched_ = incoming_.size();
      break;
    }
    any = true;
    searched_ = end + 1;
    const bool go_on = on_line(std::string_view(incoming_).substr(start, length));
    start = searched_;
    if (!go_on) {
      event = Event::refused;
      break;
    }
  }
  incoming_.erase(0, start);
  searched_ -= std::min(searched_, start);
  return event;
}

ChildProcess::Event ChildProcess::pump(Clock::time_point deadline, const OnLine& on_line) {
  for (;;) {
    if (at_end_) return Event::ended;
    if (in_ >= 0 && written_ < outgoing_.size()) write_some();  // mostly there is room
    const bool writing = in_ >= 0 && written_ < outgoing_.size();
    pollfd watched[] = {{out_, POLLIN, 0},
                        {err_, POLLIN, 0},
                        {handle_, POLLIN, 0},
                        {writing ? in_ : -1, POLLOUT, 0}};
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    // A wait is cut into hours, so that no deadline overflows poll's integer.
    const int wait = static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
    const int ready = poll(watched, std::size(watched), wait);
    if (ready < 0 && errno != EINTR)
      throw std::runtime_error(fmt::format("poll: {}", std::strerror(errno)));
    if (ready == 0 && left <= 0) return Event::timed_out;
    if (ready <= 0) continue;

    if (watched[1].revents != 0) read_stderr();
    const bool gone = watched[2].revents != 0;
    if (watched[0].revents != 0 || gone) {
      const Got got = read_stdout();
      // Gone with nothing left to read is the end, too: a grandchild may hold the pipe open for
      // ever.
      at_end_ = got == Got::end || (gone && got == Got::nothing);
      bool any = false;
      const Event event = take_lines(on_line, any);
      if (event != Event::lines || any) return event;
    }
    // A stream of errors, or output without a line end, would never let poll() return 0.
    if (left <= 0 && watched[0].revents == 0) return at_end_ ? Event::ended : Event::timed_out;
  }
}

// Looks without reaping: as long as the child is a zombie, nobody else can get its number.
bool ChildProcess::is_gone(int& status) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
  if (info.si_pid == 0) return false;
  status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
  return true;
}

std::string ChildProcess::finish(milliseconds patience) {
  if (!ending_.empty()) return ending_;
  const Clock::time_point deadline = Clock::now() + patience;
  std::optional<int> status;  // negative: a signal
  for (;;) {
    int found = 0;
    if (is_gone(found)) {
      status = found;
      break;
    }
    // What it was sent still goes out; then its input ends.
    if (in_ >= 0 && written_ < outgoing_.size()) write_some();
    if (in_ >= 0 && written_ == outgoing_.size()) close_once(in_);
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) break;
    // It may wait for us to read what it writes. Its output is of no interest any more.
    pollfd watched[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {handle_, POLLIN, 0}};
    poll(watched, std::size(watched), static_cast<int>(std::min<std::int64_t>(left, 20)));
    if (watched[0].revents != 0 && read_stdout() == Got::end) close_once(out_);
    if (watched[1].revents != 0) read_stderr();
    incoming_.clear();
  }
  group_.kill();
  int ignored = 0;
  while (waitpid(pid_, &ignored, 0) < 0 && errno == EINTR) {
  }
  // The last words, as many as there can be in the pipe.
  for (std::size_t read = 0; err_ >= 0 && read < 2 * kPipeSize; read += kPiece)
    if (read_stderr() != Got::bytes) break;
  if (!status)
    ending_ = "did not end and was killed";
  else if (*status < 0)
    ending_ = signal_text(-*status);
  else
    ending_ = fmt::format("exited with {}", *status);
  at_end_ = true;
  return ending_;
}

std::string_view ChildProcess::stderr_tail() const {
  const std::string_view all = stderr_;
  return all.substr(all.size() - std::min(all.size(), kStderrKept));
}

}  // namespace ampcheck::subject
