#include "subject/process_subject.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace ampcheck::subject {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;
using Kind = Reply::Kind;

Command scripted(std::vector<std::string> arguments = {}) {
  Command command{
      {AMPCHECK_PYTHON, "-S", AMPCHECK_ROOT "/subject/testdata/scripted_subject.py"}, {}, {}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return command;
}

ProcessOptions quick() {
  ProcessOptions options;
  options.hello_time = 5s;
  options.case_time = 500ms;
  options.stop_time = 2s;
  options.longest_line = 1 << 20;
  return options;
}

// A case that tells the scripted subject what to do.
Case doing(std::string what, const std::string& id = "i") {
  Case made{id, std::move(what), 0, 1, {}};
  made.steps.push_back({Observe{}, {}});
  return made;
}

std::vector<Case> doing_all(const std::vector<std::string>& whats) {
  std::vector<Case> cases;
  for (const std::string& what : whats) cases.push_back(doing(what, std::to_string(cases.size())));
  return cases;
}

// The replies in the order of the cases; each case gets exactly one.
std::vector<Reply> play_all(Subject& subject, const std::vector<Case>& cases) {
  std::map<const Case*, Reply> replies;
  std::size_t drawn = 0;
  subject.play([&] { return drawn < cases.size() ? &cases[drawn++] : nullptr; },
               [&](const Case& one, Reply reply) {
                 EXPECT_TRUE(replies.emplace(&one, std::move(reply)).second) << one.id << " twice";
               });
  std::vector<Reply> ordered;
  for (const Case& one : cases) {
    EXPECT_TRUE(replies.contains(&one)) << one.id << " has no reply";
    ordered.push_back(replies[&one]);
  }
  return ordered;
}

std::string why_not(Command command, ProcessOptions options = quick()) {
  try {
    ProcessSubject subject(std::move(command), std::move(options));
  } catch (const DidNotStart& error) {
    return error.what();
  }
  return "it started";
}

TEST(ProcessSubject, HelloIsHeard) {
  ProcessSubject subject(scripted(), quick());
  EXPECT_EQ(subject.hello().name, "scripted");
}

TEST(ProcessSubject, WhatDoesNotStartSaysWhy) {
  EXPECT_EQ(why_not(scripted({"exit"})),
            "exited with 1 before its hello\nits standard error ends with:\n"
            "  I have no licence\n  and no wish to start");
  EXPECT_THAT(why_not(scripted({"garbage"})),
              StartsWith("its hello is malformed: its hello:1:1: expected JSON, found"));
  EXPECT_THAT(why_not(scripted({"garbage"})), HasSubstr("\"Welcome to my subject!\""));
  EXPECT_THAT(why_not(scripted({"wrong"})), HasSubstr("hello.operations[0]: expected scaler, "));
  EXPECT_EQ(why_not(scripted({"chatty"})),
            "a line after its hello that nobody asked for: \"ready\"");
  EXPECT_EQ(why_not(scripted({"flood"})), "instead of a hello a line of more than 1048576 bytes");
  EXPECT_EQ(why_not({{"/no/such/program"}, {}, {}}),
            "cannot be run: /no/such/program: No such file or directory");
  EXPECT_THAT(why_not(Command::shell("no-such-program")),
              StartsWith("exited with 127 before its hello"));
  ProcessOptions impatient = quick();
  impatient.hello_time = 300ms;
  EXPECT_EQ(why_not(scripted({"silent"}), impatient), "no hello within 0.3 s");
}

TEST(ProcessSubject, EveryFallCostsItsOwnCaseOnly) {
  const std::map<std::string, std::pair<Kind, std::string>> expected = {
      {"crash", {Kind::crashed, "exited with 3"}},
      {"segfault", {Kind::crashed, "was ended by signal 11 (Segmentation fault)"}},
      {"close", {Kind::crashed, "did not end and was killed"}},
      {"flood", {Kind::flooded, "a line of more than 1048576 bytes"}},
      {"nonsense", {Kind::nonsense, "its line:1:1: expected JSON, found"}},
      {"stranger", {Kind::nonsense, "an answer to a case that is not in flight: \"nobody\""}},
      {"twice", {Kind::nonsense, "it was answered twice"}},
      {"malformed", {Kind::nonsense, "answers: expected an array, found \"none\""}},
      {"error", {Kind::error, "no memory"}},
      {"hang", {Kind::timed_out, "no answer within 0.5 s"}},
  };
  std::vector<std::string> whats;
  for (const auto& [what, outcome] : expected)
    whats.insert(whats.end(), {"fine", "fine", what, "fine"});
  ProcessSubject subject(scripted(), quick());
  const std::vector<Case> cases = doing_all(whats);
  const std::vector<Reply> replies = play_all(subject, cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto known = expected.find(cases[i].clause);
    const Kind kind = known == expected.end() ? Kind::answered : known->second.first;
    EXPECT_EQ(replies[i].kind, kind) << cases[i].clause << ": " << replies[i].text;
    if (known != expected.end()) {
      EXPECT_THAT(replies[i].text, StartsWith(known->second.second));
    }
    if (kind == Kind::answered) {
      EXPECT_EQ(replies[i].answers.size(), 1u);
    }
  }
}

TEST(ProcessSubject, ACrashComesWithTheLastWords) {
  ProcessSubject subject(scripted(), quick());
  EXPECT_EQ(subject.play(doing("crash")).stderr_tail, "about to fail\n");
  EXPECT_EQ(subject.play(doing("fine")).kind, Kind::answered);
}

TEST(ProcessSubject, MegabytesOfErrorsDoNotMatter) {
  ProcessSubject subject(scripted(), quick());
  for (const Reply& reply : play_all(subject, doing_all({"loud", "fine", "loud"})))
    EXPECT_EQ(reply.kind, Kind::answered) << reply.text;
}

TEST(ProcessSubject, LongLines) {
  ProcessOptions options = quick();
  options.longest_line = 16 << 20;
  ProcessSubject subject(scripted(), options);
  for (const Reply& reply : play_all(subject, doing_all({"large", "fine", "large"})))
    EXPECT_EQ(reply.kind, Kind::answered) << reply.text;
}

TEST(ProcessSubject, AnswersOutOfOrder) {
  ProcessSubject subject(scripted({"fine", "reversed"}), quick());
  for (const Reply& reply : play_all(subject, doing_all(std::vector<std::string>(100, "fine"))))
    EXPECT_EQ(reply.kind, Kind::answered) << reply.text;
  EXPECT_EQ(subject.incidents().restarts, 0);
}

TEST(ProcessSubject, WaitingBehindSlowOnesIsNoFault) {
  ProcessSubject subject(scripted(), quick());
  for (const Reply& reply : play_all(subject, doing_all(std::vector<std::string>(15, "slow"))))
    EXPECT_EQ(reply.kind, Kind::answered) << reply.text;
  EXPECT_EQ(subject.incidents().restarts, 0);
}

TEST(ProcessSubject, ADeclaredTimeLimitHolds) {
  ProcessSubject patient(scripted({"patient"}), quick());
  EXPECT_EQ(patient.play(doing("slower")).kind, Kind::answered);
  ProcessSubject impatient(scripted(), quick());
  EXPECT_EQ(impatient.play(doing("slower")).kind, Kind::timed_out);
}

TEST(ProcessSubject, ASlowSourceIsNotTheSubjectsFault) {
  ProcessSubject subject(scripted(), quick());
  const std::vector<Case> cases = doing_all({"fine", "fine"});
  std::size_t drawn = 0, answered = 0;
  subject.play(
      [&]() -> const Case* {
        if (drawn == cases.size()) return nullptr;
        usleep(700'000);
        return &cases[drawn++];
      },
      [&](const Case&, const Reply& reply) { answered += reply.kind == Kind::answered; });
  EXPECT_EQ(answered, 2u);
  EXPECT_EQ(subject.incidents().restarts, 0);
}

TEST(ProcessSubject, AFallThatNobodyRepeatsIsListed) {
  ProcessSubject subject(scripted(), quick());
  for (const Reply& reply : play_all(subject, doing_all({"fine", "used", "fine"})))
    EXPECT_EQ(reply.kind, Kind::answered) << reply.text;
  EXPECT_THAT(subject.incidents().unexplained, testing::Contains("exited with 4"));
}

TEST(ProcessSubject, WhoEndsAfterAnAnswerIsStartedAgain) {
  ProcessSubject subject(scripted(), quick());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(subject.play(doing("quit")).kind, Kind::answered);
  for (const Reply& reply : play_all(subject, doing_all({"quit", "quit", "fine"})))
    EXPECT_EQ(reply.kind, Kind::answered) << reply.text;
}

TEST(ProcessSubject, TheSameCaseTwice) {
  ProcessSubject subject(scripted(), quick());
  std::vector<Case> cases = doing_all({"fine", "fine", "fine"});
  cases[2].id = cases[0].id;
  cases.push_back(cases[1]);
  for (const Reply& reply : play_all(subject, cases)) EXPECT_EQ(reply.kind, Kind::answered);
  EXPECT_EQ(subject.incidents().restarts, 0);
}

TEST(ProcessSubject, ASourceMayWaitForReplies) {
  ProcessSubject subject(scripted(), quick());
  const std::vector<Case> cases = doing_all({"fine", "crash", "fine"});
  std::size_t drawn = 0, delivered = 0;
  subject.play(
      [&]() -> const Case* {
        return drawn < cases.size() && drawn == delivered ? &cases[drawn++] : nullptr;
      },
      [&](const Case&, const Reply&) { ++delivered; });
  EXPECT_EQ(delivered, 3u);
}

TEST(ProcessSubject, WhatFallsOnEverythingIsGivenUp) {
  ProcessOptions options = quick();
  options.falls_in_a_row = 6;
  ProcessSubject subject(scripted(), options);
  const std::vector<Reply> replies =
      play_all(subject, doing_all(std::vector<std::string>(50, "crash")));
  EXPECT_EQ(replies.front().kind, Kind::crashed);
  EXPECT_EQ(replies.back().kind, Kind::lost);
  EXPECT_EQ(replies.back().text,
            "it fell 6 times in a row without an answer, at last: exited with 3");
  EXPECT_EQ(subject.play(doing("fine")).kind, Kind::answered) << "the next play starts anew";
}

TEST(ProcessSubject, WhatCannotBeStartedAgainIsLost) {
  const std::string marks = testing::TempDir() + "ampcheck_marks_" + std::to_string(getpid());
  ProcessSubject subject(scripted({"once:" + marks}), quick());
  const std::vector<Reply> replies = play_all(subject, doing_all({"fine", "crash", "fine"}));
  EXPECT_EQ(replies[0].kind, Kind::answered);
  EXPECT_EQ(replies[1].kind, Kind::lost);
  EXPECT_EQ(replies[2].kind, Kind::lost);
  EXPECT_THAT(replies[2].text,
              StartsWith("it could not be started again, 3 times in a row: exited with 1"));
  EXPECT_EQ(subject.play(doing("fine")).kind, Kind::lost);
  std::remove(marks.c_str());
}

TEST(ProcessSubject, ASinkThatThrowsLeavesNothingBehind) {
  ProcessSubject subject(scripted(), quick());
  const std::vector<Case> cases = doing_all(std::vector<std::string>(20, "fine"));
  std::size_t drawn = 0;
  EXPECT_THROW(subject.play([&] { return drawn < cases.size() ? &cases[drawn++] : nullptr; },
                            [](const Case&, const Reply&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  EXPECT_EQ(subject.play(doing("fine")).kind, Kind::answered);
}

TEST(ProcessSubject, EveryMessageIsRecorded) {
  const std::string path = testing::TempDir() + "ampcheck_record_" + std::to_string(getpid());
  ProcessOptions options = quick();
  options.recorder = path;
  {
    ProcessSubject subject(scripted(), options);
    subject.play(doing("fine"));
  }
  std::ifstream file(path);
  std::vector<std::string> seen;
  for (std::string line; std::getline(file, line);) {
    const auto entry = nlohmann::json::parse(line);
    seen.push_back(entry.at("to").get<std::string>() + " " + entry.at("message").begin().key());
  }
  EXPECT_THAT(seen, testing::ElementsAre("subject hello", "ampcheck hello", "subject run",
                                         "ampcheck answers", "subject stop"));
  std::remove(path.c_str());
}

// 3,000 cases with faults strewn in: each culprit is found alone, every other case is answered.
TEST(ProcessSubject, Chaos) {
  const std::vector<std::string> faults = {"crash", "flood",     "nonsense", "segfault",
                                           "twice", "malformed", "error"};
  std::vector<std::string> whats(3000, "fine");
  std::uint32_t random = 1;
  for (int i = 0; i < 40; ++i) {
    random = random * 1664525 + 1013904223;
    whats[(random >> 8) % whats.size()] = faults[static_cast<std::size_t>(i) % faults.size()];
  }
  whats[1700] = "hang";
  const std::vector<Case> cases = doing_all(whats);
  ProcessSubject subject(scripted(), quick());
  const std::vector<Reply> replies = play_all(subject, cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(replies[i].kind == Kind::answered, cases[i].clause == "fine")
        << cases[i].id << " " << cases[i].clause << ": " << replies[i].text;
  EXPECT_THAT(subject.incidents().unexplained, testing::SizeIs(testing::Le(40)));
}

TEST(ProcessSubject, AtTheStopNothingIsWaitedFor) {
  ProcessOptions patient = quick();
  patient.case_time = 60s;
  ProcessSubject subject(scripted(), patient);
  const auto start = std::chrono::steady_clock::now();
  subject.stop_at(start + 300ms);
  const std::vector<Reply> replies =
      play_all(subject, doing_all({"fine", "hang", "fine", "crash", "fine"}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  EXPECT_EQ(replies[0].kind, Kind::answered);
  for (std::size_t i = 1; i < replies.size(); ++i) {
    EXPECT_EQ(replies[i].kind, Kind::lost) << i;
    EXPECT_THAT(replies[i].text, HasSubstr("the time was up"));
  }
  subject.stop_at(std::chrono::steady_clock::time_point::max());
  EXPECT_EQ(subject.play(doing("fine")).kind, Kind::answered) << "the next play starts anew";
}

}  // namespace
}  // namespace ampcheck::subject
