// The designed cases: they are such that may be asked, and tell every two schedules apart.
#include "properties/identify/experiments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/check_case.hpp"
#include "properties/identify/elimination.hpp"
#include "properties/identify/scale_run.hpp"
#include "properties/policy.hpp"
#include "reference/scale_schedule.hpp"
#include "subject/floating_point.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace subject;
using reference::Rational;

TEST(Experiments, MakeSense) {
  const std::vector<std::vector<Experiment>> all = {skip_experiments(),
                                                    schedule_experiments(Overflows::by_infinity),
                                                    update_experiments(),
                                                    schedule_experiments(Overflows::by_sum),
                                                    unscale_experiments(true),
                                                    clip_experiments(true),
                                                    {epsilon_experiment()},
                                                    factor_experiments(Overflows::by_infinity),
                                                    step_experiments(),
                                                    copy_experiments(),
                                                    rate_experiments(Overflows::by_infinity),
                                                    rate_experiments(Overflows::by_sum)};
  for (const std::vector<Experiment>& group : all) {
    EXPECT_FALSE(group.empty());
    for (const Experiment& experiment : group) {
      EXPECT_NO_THROW(check_case(experiment.played)) << experiment.name;
      for (const std::string_view axis : experiment.tells)
        EXPECT_NE(find_policy_axis(axis), nullptr) << axis;
    }
  }
}

// All that two roundings lead astray, of two formats and three arithmetics.
TEST(Experiments, TellWhetherAQuotientIsRoundedTwice) {
  int found = 0;
  for (const Experiment& experiment : unscale_experiments(true))
    if (experiment.tells.front() == "unscale_format") ++found;
  EXPECT_EQ(found, 6);
}

Rational exactly(double x) {
  return reference::value_of(to_bits(x, reference::binary64), reference::binary64);
}

// A textbook whose scale moves by the reference's own rule.
class Scheduled : public Textbook {
 public:
  explicit Scheduled(reference::Policy policy) : policy_(std::move(policy)) {}

  void update() override {
    if (state_.scale.is_zero()) state_.scale = exactly(scaler_.scale);
    const reference::ScaleRule rule{{&reference::binary64, to_bits(2, reference::binary64)},
                                    {&reference::binary64, to_bits(0.5, reference::binary64)},
                                    scaler_.growth_interval};
    // Powers of two: one state.
    state_ = reference::updated(
                 state_, overflow_ ? reference::Verdict::overflow : reference::Verdict::clean, rule,
                 policy_)
                 .front();
    scaler_.scale = to_double(round_to(state_.scale, reference::binary64), reference::binary64);
    scaler_.enabled = false;  // the rest of an update only
    Textbook::update();
    scaler_.enabled = true;
  }

 private:
  reference::Policy policy_;
  reference::ScaleState state_;
};

TEST(Experiments, TellEveryTwoSchedulesApart) {
  const Group group{{whole_axis("growth_rule"), whole_axis("hysteresis"),
                     whole_axis("hysteresis_refill"), whole_axis("scale_lag")},
                    {}};
  const auto words = [](const Finding& found) {
    std::vector<std::string> texts;
    for (const PolicyValue& word : found.words) texts.push_back(text_of(word));
    return texts;
  };
  for (const PolicyValue& rule : group.axes[0].words)
    for (const PolicyValue& hysteresis : group.axes[1].words)
      for (const PolicyValue& refill : group.axes[2].words)
        for (const PolicyValue& lag : group.axes[3].words) {
          Policy policy;
          policy.declared = {{"growth_rule", rule},
                             {"hysteresis", hysteresis},
                             {"hysteresis_refill", refill},
                             {"scale_lag", lag}};
          const reference::Policy kept = reference_policy(policy);
          InProcess subject(Textbook::hello(), [&] { return std::make_unique<Scheduled>(kept); });
          Bench bench(subject);
          const std::vector<Trial> trials =
              bench.play(schedule_experiments(Overflows::by_infinity));
          // No floor and no ceiling shows.
          for (const Trial& trial : trials)
            for (const Scalar& scale : scale_run(trial).scales) {
              const Rational value = reference::value_of(scale.bits, *scale.format);
              EXPECT_TRUE(value >= Rational::power_of_two(11)) << trial.experiment.name;
              EXPECT_TRUE(value <= Rational::power_of_two(16)) << trial.experiment.name;
            }
          const std::vector<Finding> found = eliminate(group, trials, {});
          const std::string what = text_of(rule) + ", hysteresis " + text_of(hysteresis) + " " +
                                   text_of(refill) + ", lag " + text_of(lag);
          EXPECT_THAT(words(found[0]), testing::ElementsAre(text_of(rule))) << what;
          EXPECT_THAT(words(found[1]), testing::ElementsAre(text_of(hysteresis))) << what;
          // Hysteresis of 1 is never used up.
          if (hysteresis.word == "1")
            EXPECT_EQ(found[2].words.size(), 3u) << what;
          else
            EXPECT_THAT(words(found[2]), testing::ElementsAre(text_of(refill))) << what;
          EXPECT_THAT(words(found[3]), testing::ElementsAre(text_of(lag))) << what;
        }
}

}  // namespace
}  // namespace ampcheck::properties::identify
