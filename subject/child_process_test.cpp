#include "subject/child_process.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace ampcheck::subject {
namespace {

using namespace std::chrono_literals;
using Clock = ChildProcess::Clock;
using Event = ChildProcess::Event;
using testing::ElementsAre;

std::vector<std::string> lines_of(ChildProcess& child) {
  std::vector<std::string> lines;
  const auto keep = [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  };
  while (child.pump(Clock::now() + 10s, keep) == Event::lines) {
  }
  return lines;
}

bool ignore(std::string_view) { return true; }

// A process whose parent is somebody else can be a zombie for a while.
bool is_running(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return bool(stat >> number >> name >> state) && state != "Z" && state != "X";
}

bool ends_soon(pid_t pid) {
  for (int i = 0; i < 500 && is_running(pid); ++i) std::this_thread::sleep_for(10ms);
  return !is_running(pid);
}

TEST(ChildProcess, LinesGoBothWays) {
  ChildProcess child({{"cat"}, {}, {}});
  child.send("one");
  child.send("two");
  std::vector<std::string> lines;
  const auto keep = [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  };
  while (lines.size() < 2) ASSERT_EQ(child.pump(Clock::now() + 10s, keep), Event::lines);
  EXPECT_THAT(lines, ElementsAre("one", "two"));
  EXPECT_EQ(child.finish(10s), "exited with 0");
}

TEST(ChildProcess, DirectoryAndEnvironment) {
  Command command = Command::shell("pwd; echo $AMPCHECK_A; echo $HOME");
  command.directory = "/";
  command.environment = {{"AMPCHECK_A", "a b"}, {"HOME", "/nowhere"}};
  ChildProcess child(command);
  EXPECT_THAT(lines_of(child), ElementsAre("/", "a b", "/nowhere"));
}

TEST(ChildProcess, WhatCannotBeStarted) {
  const auto fault = [](Command command) -> std::string {
    try {
      ChildProcess child(command);
    } catch (const CannotStart& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(fault({{"/no/such/program"}, {}, {}}), "/no/such/program: No such file or directory");
  EXPECT_EQ(fault({{"cat"}, "/no/such/folder", {}}), "/no/such/folder: No such file or directory");
  EXPECT_EQ(fault({}), "an empty command");
}

TEST(ChildProcess, HowItEnded) {
  ChildProcess exits(Command::shell("exit 3"));
  EXPECT_EQ(exits.pump(Clock::now() + 10s, ignore), Event::ended);
  EXPECT_EQ(exits.finish(10s), "exited with 3");
  EXPECT_EQ(exits.finish(0s), "exited with 3");
  ChildProcess signalled(Command::shell("kill -SEGV $$"));
  EXPECT_EQ(signalled.finish(10s), "was ended by signal 11 (Segmentation fault)");
  ChildProcess stays({{"sleep", "1000"}, {}, {}});
  EXPECT_EQ(stays.finish(10ms), "did not end and was killed");
}

TEST(ChildProcess, ADeadlinePasses) {
  ChildProcess child({{"sleep", "1000"}, {}, {}});
  const auto start = Clock::now();
  EXPECT_EQ(child.pump(start + 50ms, ignore), Event::timed_out);
  EXPECT_LT(Clock::now() - start, 5s);
}

TEST(ChildProcess, WhatHasArrivedIsReadAfterTheDeadline) {
  ChildProcess child(Command::shell("echo late; exec sleep 1000"));
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(child.pump(Clock::now() - 1s, ignore), Event::lines);
  EXPECT_EQ(child.pump(Clock::now() - 1s, ignore), Event::timed_out);
}

TEST(ChildProcess, ErrorsWithoutEndDoNotMoveTheDeadline) {
  ChildProcess child(Command::shell("yes >&2"));
  const auto start = Clock::now();
  EXPECT_EQ(child.pump(start + 100ms, ignore), Event::timed_out);
  EXPECT_LT(Clock::now() - start, 5s);
  child.finish(0s);
  EXPECT_EQ(child.stderr_tail().size(), 64u << 10);
}

TEST(ChildProcess, OutputWithoutLineEndIsAFlood) {
  ChildProcess child(Command::shell("yes | tr -d '\\n'"), 100'000);
  EXPECT_EQ(child.pump(Clock::now() + 10s, ignore), Event::flooded);
}

TEST(ChildProcess, ALineMayBeAsLongAsAllowedAndNoLonger) {
  for (const auto& [length, event] : {std::pair{1000, Event::lines}, {1001, Event::flooded}}) {
    ChildProcess child(Command::shell("head -c " + std::to_string(length) + " /dev/zero; echo"),
                       1000);
    EXPECT_EQ(child.pump(Clock::now() + 10s, ignore), event);
  }
}

TEST(ChildProcess, LinesBeforeAFloodCount) {
  ChildProcess child(Command::shell("echo good; head -c 2000 /dev/zero; sleep 1000"), 1000);
  std::vector<std::string> lines;
  Event event = Event::lines;
  while (event == Event::lines)
    event = child.pump(Clock::now() + 10s, [&](std::string_view line) {
      lines.emplace_back(line);
      return true;
    });
  EXPECT_EQ(event, Event::flooded);
  EXPECT_THAT(lines, ElementsAre("good"));
}

TEST(ChildProcess, BothSidesMayWriteMegabytesAtOnce) {
  ChildProcess child({{"cat"}, {}, {}});
  const std::string line(8 << 20, 'x');
  child.send(line);
  child.send(line);
  std::size_t got = 0;
  while (got < 2)
    ASSERT_EQ(child.pump(Clock::now() + 30s,
                         [&](std::string_view back) {
                           got += back == line ? 1 : 100;
                           return true;
                         }),
              Event::lines);
  EXPECT_EQ(got, 2u);
}

TEST(ChildProcess, ALastLineWithoutEndIsNone) {
  ChildProcess child(Command::shell("echo whole; printf part"));
  EXPECT_THAT(lines_of(child), ElementsAre("whole"));
}

TEST(ChildProcess, TheEndIsSeenThoughAGrandchildHoldsThePipe) {
  ChildProcess child(Command::shell("echo before; sleep 1000 & exit 5"));
  const auto start = Clock::now();
  EXPECT_THAT(lines_of(child), ElementsAre("before"));
  EXPECT_EQ(child.finish(10s), "exited with 5");
  EXPECT_LT(Clock::now() - start, 5s);
}

TEST(ChildProcess, AWriteToWhatIsGoneIsNoDisaster) {
  ChildProcess child({{"true"}, {}, {}});
  child.finish(10s);
  child.send("anybody?");
  EXPECT_EQ(child.pump(Clock::now() + 1s, ignore), Event::ended);
  ChildProcess deaf(Command::shell("exec <&-; echo deaf; exec sleep 1000"));
  EXPECT_EQ(deaf.pump(Clock::now() + 10s, ignore), Event::lines);
  deaf.send("anybody?");
  EXPECT_EQ(deaf.pump(Clock::now() + 50ms, ignore), Event::timed_out);
}

TEST(ChildProcess, ItsWholeGroupIsKilled) {
  pid_t grandchild = 0;
  {
    ChildProcess child(Command::shell("sleep 1000 & echo $!; wait"));
    child.pump(Clock::now() + 10s, [&](std::string_view line) {
      grandchild = std::stoi(std::string(line));
      return true;
    });
    ASSERT_GT(grandchild, 0);
    EXPECT_TRUE(is_running(grandchild));
  }
  EXPECT_TRUE(ends_soon(grandchild));
}

// Not even what a shell runs, and does not replace itself with.
TEST(ChildProcess, ItDoesNotOutliveUs) {
  const std::string path = testing::TempDir() + "ampcheck_orphan_" + std::to_string(getpid());
  const pid_t middle = fork();
  if (middle == 0) {
    ChildProcess child(
        {{"sh", "-c", "sleep 1000 & echo $! >\"$0.new\"; mv \"$0.new\" \"$0\"; wait", path},
         {},
         {}});
    while (!std::filesystem::exists(path)) std::this_thread::sleep_for(5ms);
    kill(getpid(), SIGKILL);
  }
  waitpid(middle, nullptr, 0);
  pid_t orphan = 0;
  std::ifstream(path) >> orphan;
  std::filesystem::remove(path);
  ASSERT_GT(orphan, 0);
  EXPECT_TRUE(ends_soon(orphan));
}

}  // namespace
}  // namespace ampcheck::subject
