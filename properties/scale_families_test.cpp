// The schedules of released scalers are told apart: each is kept under its own declaration, and
// fails under that of every other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/built_in.hpp"
#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "reference/rounding.hpp"
#include "subject/floating_point.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;

constexpr std::uint64_t kCases = 40;  // as many as level smoke plays

// The cases of skipping/update-rule, far from where a floor or ceiling would tell two subjects
// apart.
std::vector<Case> cases_of(std::uint64_t seed) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < kCases; ++i) {
    cases.push_back(generate_case(*find_clause("skipping/update-rule"), seed, i));
    auto& scaler = std::get<MakeScaler>(cases.back().steps.front().action);
    scaler.init_scale = scalar_power_of_two(40, reference::binary32);
    scaler.growth_factor = scalar_power_of_two(1, reference::binary64);
    scaler.backoff_factor = scalar_power_of_two(-1, reference::binary64);
  }
  return cases;
}

struct Family {
  std::string name;
  Hello hello;
  std::unique_ptr<Textbook> (*make)();
};

std::vector<Family> families() {
  std::vector<Family> all = {{"textbook", Textbook::hello(), &internal::make_textbook<Textbook>}};
  for (const char* name :
       {"flax-scale", "mxnet-scale", "deepspeed-fused", "deepspeed-scale", "deepspeed-consecutive",
        "megatron-scale", "apex-kernel-scale", "paddle-scale"}) {
    const BuiltIn& control = *find_built_in("control:" + std::string(name));
    all.push_back({name, control.hello(), control.make});
  }
  return all;
}

TEST(ScaleFamilies, AreToldApartByFortyCases) {
  const std::vector<Family> all = families();
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const std::vector<Case> cases = cases_of(seed);
    for (const Family& played : all) {
      InProcess subject(played.hello, played.make);
      std::vector<std::vector<Answer>> answers;
      for (const Case& one : cases) answers.push_back(subject.play(one).answers);
      std::vector<std::string> kept_under;
      for (const Family& declared : all) {
        const reference::Policy policy = reference_policy(declared.hello.policy);
        bool kept = true;
        for (std::size_t i = 0; kept && i < cases.size(); ++i)
          kept = judge(cases[i], answers[i], policy, kScale).outcome == Judgement::Outcome::pass;
        if (kept) kept_under.push_back(declared.name);
      }
      EXPECT_THAT(kept_under, testing::ElementsAre(played.name)) << "seed " << seed;
    }
  }
}

// A scale in binary32 that is held at 1e-4 is held at that number of binary32.
TEST(ScaleFamilies, LimitsAreKeptInTheFormatOfTheScale) {
  subject::Policy declared = Textbook::hello().policy;
  declared.declared["floor"] = number(1e-4);
  declared.declared["ceiling"] = number(0x1p200);  // not a number of binary32
  const reference::Policy policy = reference_policy(declared);
  EXPECT_EQ(policy.floor,
            reference::value_of(to_bits(1e-4f, reference::binary32), reference::binary32));
  EXPECT_EQ(policy.ceiling, reference::Rational::power_of_two(200));
  declared.declared["scale_format"] = word("binary64");
  EXPECT_EQ(reference_policy(declared).floor,
            reference::value_of(to_bits(1e-4, reference::binary64), reference::binary64));
}

}  // namespace
}  // namespace ampcheck::properties
