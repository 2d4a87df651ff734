// A wrong subject cannot hide what it gets wrong: whatever it answers in the place of it, it does
// not conform.
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/commands.hpp"
#include "conformance/report.hpp"
#include "properties/built_in.hpp"
#include "properties/catalogue.hpp"
#include "properties/engine.hpp"
#include "properties/sampled_test.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::conformance {
namespace {

using namespace subject;
using properties::BuiltIn;

enum class Way { null, unsupported, raised };

// A mutant that knows where it is wrong, and hides it.
class Hiding final : public Subject {
 public:
  Hiding(const BuiltIn& mutant, Way way)
      : wrong_(mutant.hello(), mutant.make), right_(textbook_in_process()), way_(way) {}

  const Hello& hello() const override { return wrong_.hello(); }
  using Subject::play;
  void play(const Source& next, const Sink& deliver) override {
    while (const Case* one = next()) {
      Reply reply = wrong_.play(*one);
      const Reply wanted = right_.play(*one);
      for (std::size_t i = 0; i < reply.answers.size(); ++i)
        hide(reply.answers[i], wanted.answers[i]);
      deliver(*one, std::move(reply));
    }
  }

 private:
  void hide(Answer& answer, const Answer& wanted) const {
    if (answer == wanted) return;
    // To raise where that is right hides nothing.
    if (way_ == Way::raised && wanted.kind == Answer::Kind::raised) return;
    if (way_ != Way::null || answer.kind != wanted.kind) {
      answer = {};
      answer.kind = way_ == Way::raised ? Answer::Kind::raised : Answer::Kind::unsupported;
      answer.text = "nothing to see here";
      return;
    }
    for (auto& [name, values] : answer.observed)
      if (const auto right = wanted.observed.find(name);
          right == wanted.observed.end() || right->second != values)
        std::fill(values.begin(), values.end(), Null{});
  }

  InProcess wrong_, right_;
  Way way_;
};

// They break what should be kept, and a run without --strict gives them advice.
constexpr std::string_view kAdvised[] = {"finds-nothing",
                                         "idle-update-counts",
                                         "micro-batch-after-unscale-added",
                                         "only-skips-are-told",
                                         "refuses-after-adding",
                                         "refuses-after-updating",
                                         "reports-divided-twice",
                                         "reports-first-loss-of-window",
                                         "reports-in-bfloat16",
                                         "reports-over-first-scale",
                                         "reports-over-last-scale",
                                         "reports-the-loss-before",
                                         "reports-the-scaled-loss",
                                         "reports-times-divisor",
                                         "second-unscale-divides",
                                         "shared-divided-twice",
                                         "step-forgets-what-was-found",
                                         "steps-twice",
                                         "takes-a-backoff-of-one",
                                         "takes-a-limit-of-nan",
                                         "takes-any-limit",
                                         "takes-any-settings",
                                         "tells-of-any-optimizer",
                                         "tells-of-first-optimizer",
                                         "tells-of-inf-only",
                                         "tells-of-last-window",
                                         "underflow-is-zero",
                                         "unscales-after-the-step",
                                         "verdict-never-told"};

// Clause by clause, those of its own rule first, until one counts against it.
bool conforms(const BuiltIn& mutant, Way way) {
  Hiding subject(mutant, way);
  const bool strict = std::ranges::count(kAdvised, mutant.name) > 0;
  const RunFrame frame{"hiding", subject.hello(), 1, "smoke", "*", strict};
  properties::EngineOptions options;
  options.cases_per_clause = cases_of_level("smoke");
  options.shrink_seconds = 0;
  options.duplicates = false;
  std::vector<const properties::Clause*> clauses = select_clauses("*");
  std::erase_if(clauses, [&](const properties::Clause* clause) {
    return !strict && properties::find_entry(clause->id)->level == properties::Level::should;
  });
  std::stable_partition(clauses.begin(), clauses.end(), [&](const properties::Clause* clause) {
    return clause->id.starts_with(std::string(mutant.rule) + "/");
  });
  return std::none_of(clauses.begin(), clauses.end(), [&](const properties::Clause* clause) {
    return counts_against(properties::run(subject, {clause}, options).clauses.front(), frame);
  });
}

// What no profile claims yet: several ranks, master weights, schedules of learning rates, and
// recipes.
bool is_unclaimed(const BuiltIn& mutant) {
  static constexpr std::string_view kOfRanks[] = {"batch-of-the-first-window", "first-rank-asked",
                                                  "odd-rank-left-out", "scale-of-its-own",
                                                  "world-rounded-up"};
  static constexpr std::string_view kOfSchedules[] = {
      "growth-taken-for-a-skip", "schedule-by-micro-batch",
      "schedule-by-update",      "schedule-of-first-optimizer",
      "schedule-one-ahead",      "schedule-reset-by-loading",
      "schedule-shared",         "schedule-wraps",
      "scheduler-advances",      "skip-of-another-holds"};
  return mutant.rule == "weights" || mutant.rule == "schedule" ||
         std::ranges::count(kOfRanks, mutant.name) > 0 ||
         std::ranges::count(kOfSchedules, mutant.name) > 0;
}

std::vector<std::string> who_conforms(Way way) {
  std::vector<std::string> names;
  for (const BuiltIn* one : properties::sampled(BuiltIn::Kind::mutant))
    if (!is_unclaimed(*one) && conforms(*one, way)) names.push_back(one->full_name());
  return names;
}

// A norm that an inf or NaN leaves untold misleads nobody.
constexpr const char* kLosesNan = "mutant:maximum-loses-nan";
// Nor does a loss where no token counts, or what was found where `stepped` is shown and right.
constexpr std::string_view kToldOtherwise[] = {
    "mutant:finds-nothing",          "mutant:loss-of-last-window",
    "mutant:tells-of-any-optimizer", "mutant:step-forgets-what-was-found",
    "mutant:tells-of-inf-only",      "mutant:tells-of-first-optimizer",
    "mutant:tells-of-last-window"};

TEST(NoWayToSlipOut, ByNull) {
  std::vector<std::string> names = who_conforms(Way::null);
  std::erase(names, kLosesNan);
  std::erase_if(
      names, [](const std::string& name) { return std::ranges::count(kToldOtherwise, name) > 0; });
  EXPECT_EQ(std::vector<std::string>(), names);
}

TEST(NoWayToSlipOut, ByUnsupported) {
  EXPECT_EQ(std::vector<std::string>(), who_conforms(Way::unsupported));
}

// Growth that ends in a clear error, in the place of an infinite scale, is right, and so is a clip
// that refuses a NaN.
TEST(NoWayToSlipOut, ByRaising) {
  std::vector<std::string> names = who_conforms(Way::raised);
  std::erase(names, "mutant:growth-to-inf");
  std::erase(names, kLosesNan);
  EXPECT_EQ(std::vector<std::string>(), names);
}

}  // namespace
}  // namespace ampcheck::conformance
