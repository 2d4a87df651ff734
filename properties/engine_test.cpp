#include "properties/engine.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "properties/catalogue.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;

// The textbook, with its replies changed on the way out.
class Changed final : public Subject {
 public:
  using Change = std::function<void(const Case&, Reply&)>;
  explicit Changed(Change change, Hello hello = Textbook::hello())
      : inner_(std::move(hello), [] { return std::make_unique<Textbook>(); }),
        change_(std::move(change)) {}

  const Hello& hello() const override { return inner_.hello(); }
  using Subject::play;
  void play(const Source& next, const Sink& deliver) override {
    inner_.play(next, [&](const Case& one, Reply reply) {
      change_(one, reply);
      deliver(one, std::move(reply));
    });
  }

 private:
  InProcess inner_;
  Change change_;
};

EngineOptions smoke() {
  EngineOptions options;
  options.cases_per_clause = 40;
  return options;
}

ClauseReport report_of(Subject& subject, const char* clause,
                       const EngineOptions& options = smoke()) {
  return run(subject, {find_clause(clause)}, options).clauses.front();
}

// Its duplicate has a name of its own: these tests play none.
bool is_number_three(const Case& one) { return one.id.ends_with("#1.3"); }

EngineOptions once() {
  EngineOptions options = smoke();
  options.duplicates = false;
  return options;
}

TEST(Engine, KeepsWhatConforms) {
  Changed subject([](const Case&, Reply&) {});
  const ClauseReport report = report_of(subject, "scaling/unscale-once");
  EXPECT_EQ(report.verdict, Verdict::pass);
  EXPECT_EQ(report.cases, 40);
  EXPECT_FALSE(report.failure);
}

TEST(Engine, PlaysFivePercentTwice) {
  Changed subject([](const Case&, Reply&) {});
  std::vector<const Clause*> all;
  for (const Clause& clause : clauses()) all.push_back(&clause);
  const RunReport report = run(subject, all, smoke());
  EXPECT_NEAR(static_cast<double>(report.duplicates) / static_cast<double>(report.cases), 0.05,
              0.02);
}

TEST(Engine, FindsAnswersThatHangOnWhatWasPlayedBefore) {
  // The growth count, which decides nothing here, counts cases.
  std::int64_t played = 0;
  Changed subject(
      [&](const Case&, Reply& reply) { reply.answers.front().observed["scale"] = {++played}; });
  EngineOptions options = smoke();
  options.cases_per_clause = 200;
  const ClauseReport report = report_of(subject, "scaling/seed-is-the-scale", options);
  EXPECT_EQ(report.verdict, Verdict::flaky);
  EXPECT_TRUE(report.failure);
}

// The reason of a clause that is flaky.
std::string flaky_reason(Subject& subject) {
  EngineOptions options = smoke();
  options.cases_per_clause = 200;
  const ClauseReport report = report_of(subject, "scaling/seed-is-the-scale", options);
  EXPECT_EQ(report.verdict, Verdict::flaky);
  return report.reason;
}

TEST(Engine, SaysThatAnAnswerHangsOnTheCasesBefore) {
  std::string before;
  std::int64_t others = 0;
  Changed subject([&](const Case& one, Reply& reply) {
    const std::string id = one.id.substr(0, one.id.find(".again"));
    others += id == before ? 0 : 1;
    before = id;
    reply.answers.front().observed["scale"] = {others};
  });
  EXPECT_EQ(
      flaky_reason(subject),
      "the same case got two different answers; alone, 20 times: one answer, so that it hangs "
      "on the cases before");
}

TEST(Engine, MeasuresHowOftenAnAnswerChanges) {
  std::int64_t played = 0;
  Changed subject([&](const Case&, Reply& reply) {
    reply.answers.front().observed["scale"] = {std::int64_t{++played % 5 == 0}};
  });
  EXPECT_EQ(flaky_reason(subject),
            "the same case got two different answers; alone, 20 times: 4 answers unlike the most "
            "frequent one, 0 that break the clause");
}

TEST(Engine, AFaultThatDoesNotComeAgainIsFlaky) {
  std::int64_t played = 0;
  Changed subject([&](const Case&, Reply& reply) {
    if (++played % 10 != 0) return;
    for (Answer& answer : reply.answers)
      if (const auto stepped = answer.observed.find("stepped"); stepped != answer.observed.end())
        stepped->second = {true};
  });
  const ClauseReport report = report_of(subject, "skipping/any-non-finite-skips");
  EXPECT_EQ(report.verdict, Verdict::flaky);
  EXPECT_EQ(report.reason,
            "a fault that does not always come again; alone, 20 times: 2 answers unlike the most "
            "frequent "
            "one, 2 that break the clause");
}

TEST(Engine, AFaultThatAlwaysComesIsAFaultWhateverItLooksLike) {
  std::int64_t played = 0;
  Changed subject([&](const Case&, Reply& reply) {
    ++played;
    for (Answer& answer : reply.answers) {
      if (const auto stepped = answer.observed.find("stepped"); stepped != answer.observed.end())
        stepped->second = {true};
      answer.observed["growth_count"] = {played};
    }
  });
  EngineOptions options = smoke();
  options.duplicates = false;
  EXPECT_EQ(report_of(subject, "skipping/any-non-finite-skips", options).verdict, Verdict::fail);
}

TEST(Engine, TextsOfExceptionsMayDiffer) {
  std::int64_t played = 0;
  Changed subject([&](const Case&, Reply& reply) {
    reply.answers.front().text = "object at " + std::to_string(++played);
  });
  EXPECT_EQ(report_of(subject, "scaling/seed-is-the-scale").verdict, Verdict::pass);
}

TEST(Engine, ShrinksAndKeepsTheKindOfFault) {
  Changed subject([](const Case&, Reply& reply) {
    for (Answer& answer : reply.answers)
      if (const auto stepped = answer.observed.find("stepped"); stepped != answer.observed.end())
        stepped->second = {true};
  });
  const ClauseReport report = report_of(subject, "skipping/any-non-finite-skips");
  ASSERT_EQ(report.verdict, Verdict::fail);
  EXPECT_EQ(report.failing, 40);
  EXPECT_EQ(report.failure->fault->kind, "step on inf or NaN");
  EXPECT_EQ(report.failure->shrunk.steps.size(), 4u);  // scaler, optimizer, backward, step
  const auto& backward = std::get<Backward>(report.failure->shrunk.steps[2].action);
  ASSERT_EQ(backward.coefficients.size(), 1u);
  EXPECT_EQ(backward.coefficients[0].values.bits.size(), 1u);
}

TEST(Engine, EveryFallHasItsVerdict) {
  const auto fallen = [](Reply::Kind kind) {
    Changed subject([kind](const Case& one, Reply& reply) {
      if (is_number_three(one)) reply = {kind, "why", "last words", {}};
    });
    return report_of(subject, "scaling/unscale-once", once());
  };
  EXPECT_EQ(fallen(Reply::Kind::crashed).verdict, Verdict::crashed);
  EXPECT_EQ(fallen(Reply::Kind::flooded).verdict, Verdict::crashed);
  EXPECT_EQ(fallen(Reply::Kind::timed_out).verdict, Verdict::timed_out);
  EXPECT_EQ(fallen(Reply::Kind::nonsense).verdict, Verdict::errored);
  EXPECT_EQ(fallen(Reply::Kind::error).verdict, Verdict::errored);
  EXPECT_EQ(fallen(Reply::Kind::lost).verdict, Verdict::not_run);
  EXPECT_EQ(fallen(Reply::Kind::crashed).failure->reply.stderr_tail, "last words");
}

TEST(Engine, OneNullIsEnoughForNotJudged) {
  Changed subject([](const Case& one, Reply& reply) {
    if (!is_number_three(one)) return;
    for (Answer& answer : reply.answers)
      for (auto& [name, observation] : answer.observed) observation = {Null{}};
  });
  EXPECT_EQ(report_of(subject, "scaling/unscale-once", once()).verdict, Verdict::not_judged);
}

TEST(Engine, OneRefusalIsEnoughForUnsupported) {
  Changed subject([](const Case& one, Reply& reply) {
    if (is_number_three(one))
      reply.answers[2] = {Answer::Kind::unsupported, "later", -1, false, {}};
  });
  EXPECT_EQ(report_of(subject, "scaling/unscale-once", once()).verdict, Verdict::unsupported);
}

TEST(Engine, LeavesOutWhatLiesOutsideOfTheLimits) {
  Hello hello = Textbook::hello();
  hello.limits.powers_of_two = true;
  Changed subject([](const Case&, Reply&) {}, hello);
  const ClauseReport some = report_of(subject, "skipping/update-rule");
  EXPECT_EQ(some.verdict, Verdict::pass);
  EXPECT_EQ(some.cases, 40);  // others were drawn in the place of those left out
  hello.limits.elements = 0;
  Changed without_room([](const Case&, Reply&) {}, hello);
  const ClauseReport none = report_of(without_room, "scaling/any-scale-round-trip");
  EXPECT_EQ(none.verdict, Verdict::not_applicable);
  EXPECT_EQ(none.reason.substr(0, 7), "limits.");
}

TEST(Engine, PlaysGivenCasesFirst) {
  Case first = generate_case(*find_clause("scaling/unscale-once"), 99, 0);
  std::vector<std::string> order;
  Changed subject([&](const Case& one, Reply&) { order.push_back(one.id); });
  EngineOptions options = smoke();
  options.first = {first};
  const ClauseReport report = report_of(subject, "scaling/unscale-once", options);
  EXPECT_EQ(order.front(), first.id);
  EXPECT_EQ(report.cases, 41);
}

TEST(Engine, AClauseThatTimeCutShortHasNotPassed) {
  Changed subject([](const Case&, Reply&) {});
  EngineOptions options = smoke();
  options.budget_seconds = 1e-9;
  EXPECT_EQ(report_of(subject, "scaling/unscale-once", options).verdict, Verdict::not_run);
}

}  // namespace
}  // namespace ampcheck::properties
