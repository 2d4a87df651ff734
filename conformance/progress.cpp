#include "conformance/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "conformance/output.hpp"

namespace ampcheck::conformance {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}
Progress::~Progress() { finish(); }

void Progress::show(std::int64_t done, std::int64_t planned) {
  const Clock::time_point now = Clock::now();
  const double pause = terminal_ ? 0.1 : 10;
  if (std::chrono::duration<double>(now - last_).count() < pause) return;
  last_ = now;
  const double spent = std::chrono::duration<double>(now - start_).count();
  const double share = static_cast<double>(done) / static_cast<double>(planned);
  const std::string text = fmt::format("{} of {} cases, {:.0f} s left", done, planned,
                                       share > 0 ? spent * (1 - share) / share : 0.0);
  if (terminal_) {
    constexpr int kWidth = 30;
    const int full = static_cast<int>(share * kWidth);
    print(stderr, "\r[{:#<{}}{: <{}}] {}\033[K", "", full, "", kWidth - full, text);
    shown_ = true;
  } else {
    print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

void Progress::finish() {
  if (shown_) print(stderr, "\r\033[K");
  shown_ = false;
}

bool use_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace ampcheck::conformance
