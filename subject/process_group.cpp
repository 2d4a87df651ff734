#include "subject/process_group.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace ampcheck::subject {
namespace {

// In the fork: only calls that are safe while other threads of this process held locks.
[[noreturn]] void stand_guard(int life) {
  setpgid(0, 0);
  // Whatever it inherits would be held open by it: the pipes of other subjects, this process's own
  // end of this pipe.
  dup2(life, 0);
  if (close_range(1, ~0U, 0) != 0)
    for (int fd = 1; fd < 4096; ++fd) close(fd);
  char nothing;
  while (read(0, &nothing, 1) < 0 && errno == EINTR) {
  }
  ::kill(0, SIGKILL);
  _exit(1);
}

[[noreturn]] void fail(const char* what, int error) {
  throw std::system_error(error, std::generic_category(), what);
}

}  // namespace

ProcessGroup::ProcessGroup() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe", errno);
  id_ = fork();
  if (id_ == 0) stand_guard(ends[0]);
  const int error = errno;
  close(ends[0]);
  life_ = ends[1];
  if (id_ < 0) {
    close(life_);
    fail("no process", error);
  }
  setpgid(id_, id_);  // on both sides, so that neither is late
}

ProcessGroup::~ProcessGroup() { kill(); }

void ProcessGroup::kill() {
  if (id_ < 0) return;
  ::kill(-id_, SIGKILL);
  int status;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  close(std::exchange(life_, -1));
  id_ = -1;
}

}  // namespace ampcheck::subject
