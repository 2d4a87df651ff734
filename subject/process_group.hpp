// A process group that does not outlive this process.
#pragma once

#include <sys/types.h>

namespace ampcheck::subject {

// The group is led by a guard, a fork of this process that only waits on a pipe. Its other end
// closes when this process ends, in whatever way, SIGKILL included; the guard then kills the group.
// The kernel's own means, PR_SET_PDEATHSIG, reaches one process only: a shell, and not the command
// that it runs.
//
// A member that leaves the group (setsid, setpgid) escapes.
class ProcessGroup {
 public:
  // Throws std::system_error where there are no more processes or descriptors.
  ProcessGroup();
  ~ProcessGroup();  // kills
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  // What setpgid(2) wants.
  pid_t id() const { return id_; }

  // Ends every member by SIGKILL, and the group with them. Its members are not reaped but for the
  // guard.
  void kill();

 private:
  pid_t id_ = -1;
  int life_ = -1;
};

}  // namespace ampcheck::subject
