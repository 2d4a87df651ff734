#include "properties/identify/identify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "properties/built_in.hpp"
#include "properties/identify/families.hpp"
#include "properties/sampled_test.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace subject;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// Another value than the true one, on every axis.
Policy false_policy(const Policy& truth) {
  Policy policy;
  for (const PolicyAxis& axis : policy_axes()) {
    PolicyValue wrong = number(0x1p-5);
    for (const PolicyValue& one : whole_axis(axis.name).words)
      if (!is_same(one, truth.at(axis.name))) wrong = one;
    policy.declared[std::string(axis.name)] = wrong;
  }
  return policy;
}

std::vector<BuiltIn> controls() {
  std::vector<BuiltIn> all = {textbook_control()};
  for (const BuiltIn* one : sampled(BuiltIn::Kind::control)) all.push_back(*one);
  return all;
}

// Axes that no case tells, for a policy.
std::set<std::string> untold(const Policy& truth) {
  // Most controls accumulate in binary32, or in the parameter's format where that is wider. So the
  // output's format is that of the gradient either way, and so is that of a norm; and quotients and
  // products of 24-bit numbers that are rounded to binary64 and then to binary32 are rounded as at
  // once, since 53 >= 2·24 + 2.
  std::set<std::string> axes;
  const bool is_wide = truth.at("accumulator").word == "wide";
  if (is_wide) axes = {"unscale_format", "output_format"};
  if (is_wide || truth.at("output_format").word == "binary32") axes.insert("norm_format");
  // The squares of gradients at the largest scales overflow, which skips.
  if (truth.at("finite_test").word == "norm") axes.insert("growth_limit");
  // The scale may move inside of a window only where gradients do not keep it.
  if (truth.at("accumulation").word == "scaled") axes.insert("update_at");
  // Where the first overflow backs off nothing is used up.
  if (truth.at("hysteresis").word == "1") axes.insert("hysteresis_refill");
  // Growth never comes to the largest number.
  if (truth.at("ceiling").word != "none") axes.insert("growth_limit");
  // √(v/1) + epsilon is √v + epsilon.
  if (truth.at("adam_bias").word == "kept") axes.insert("adam_epsilon");
  return axes;
}

// Controls that declare more than they make use of; each of these words admits less.
const std::map<std::string, std::map<std::string, std::string>> kNarrower = {
    // The factor of an unneeded clip is exactly 1, and a product with it changes nothing.
    {"clip-with-epsilon", {{"unneeded_clip", "identity"}}},
    // What is rounded once, in either, is admitted in the place of both fused and separate
    // operations, of which here the former admit less.
    {"fused-step", {{"step_arithmetic", "fused"}}},
    {"wide-step", {{"step_arithmetic", "fused"}}},
    // In binary64 every formula is exact before the one rounding to binary32. The factor that
    // "rescaled-norm" rounds to binary32 shows no more than that, beside a norm that is off itself.
    {"wide-clip", {{"clip_formula", "exact"}}},
    {"rescaled-norm", {{"clip_formula", "exact"}}},
    // The factor of an unneeded clip is 1 here, too.
    {"torch-clip", {{"unneeded_clip", "identity"}}},
    // Quotients of binary16 that are rounded once are admitted whatever was declared.
    {"narrow-accumulator", {{"unscale_format", "binary64"}}},
    {"narrow-norm", {{"unscale_format", "binary64"}}},
    {"unscales-to-binary32", {{"unscale_format", "binary64"}}},
    // Near enough to the exact norm, by scales that are powers of two and for few elements.
    {"hypot-norm", {{"norm_algorithm", "sum_of_squares"}}},
    {"norm-of-scaled", {{"norm_input", "unscaled"}}},
    {"norm-of-tensor-norms", {{"norm_algorithm", "sum_of_squares"}}},
};

TEST(Identify, FindsThePolicyOfEveryControlWhateverItDeclares) {
  for (const BuiltIn& control : controls()) {
    const Policy truth = control.hello().policy;
    Hello hello = control.hello();
    hello.policy = false_policy(truth);
    InProcess subject(hello, control.make);
    const Identified identified = identify(subject);
    EXPECT_LE(identified.cases, kMostCases) << control.name;
    std::set<std::string> open;
    std::map<std::string, std::string> narrower;
    for (const Finding& found : identified.findings) {
      EXPECT_NE(found.state, Finding::State::inconsistent) << control.name << ": " << found.axis;
      if (found.state == Finding::State::open) {
        open.insert(found.axis);
        EXPECT_TRUE(found.is_harmless) << control.name << ": " << found.axis;
      }
      if (found.state != Finding::State::known) continue;
      const PolicyValue declared = truth.at(found.axis);
      if (is_same(found.words.front(), declared)) continue;
      narrower[found.axis] = text_of(found.words.front());
      EXPECT_THAT(found.wider, Contains(declared)) << control.name << ": " << found.axis;
    }
    EXPECT_EQ(open, untold(truth)) << control.name;
    const auto expected = kNarrower.find(std::string(control.name));
    EXPECT_EQ(narrower, expected == kNarrower.end() ? decltype(narrower)() : expected->second)
        << control.name;
  }
}

TEST(Identify, NamesTheFamilyOfScalers) {
  const auto nearest = [](const char* name) {
    const BuiltIn& control = *find_built_in(name);
    InProcess subject(control.hello(), control.make);
    std::vector<std::string> names;
    for (const Likeness& one : nearest_families(identify(subject))) {
      std::string text(one.family->name);
      for (const Departure& departure : one.departures) text += ", " + departure.axis;
      names.push_back(text);
    }
    return names;
  };
  EXPECT_THAT(nearest("control:flax-scale"), ElementsAre("Flax DynamicScale"));
  EXPECT_THAT(nearest("control:megatron-scale"), ElementsAre("Megatron, ColossalAI"));
  EXPECT_THAT(nearest("control:deepspeed-scale"), ElementsAre("DeepSpeed DynamicLossScaler"));
  EXPECT_THAT(nearest("control:deepspeed-consecutive"),
              ElementsAre("DeepSpeed, consecutive_hysteresis"));
  EXPECT_THAT(nearest("control:fairseq-scale"), ElementsAre("fairseq, tolerance 0"));
  // The textbook's floor is neither Apex's nor MXNet's.
  EXPECT_THAT(nearest("control:apex-kernel-scale"),
              ElementsAre("Apex update_scale_hysteresis, floor"));
  EXPECT_THAT(nearest("control:apex-scale"), ElementsAre("Apex amp, floor"));
}

// Waits one step more where it should wait for one only.
struct UndecidedGrowth : Textbook {
  void update() override {
    const std::int64_t more = scaler_.growth_interval == 1 ? 1 : 0;
    scaler_.growth_interval += more;
    Textbook::update();
    scaler_.growth_interval -= more;
  }
};

TEST(Identify, TellsWhatEachWordOfAnInconsistentSubjectExplains) {
  InProcess subject(Textbook::hello(), [] { return std::make_unique<UndecidedGrowth>(); });
  const Identified identified = identify(subject);
  const Finding& found = identified.at("growth_rule");
  EXPECT_EQ(found.state, Finding::State::inconsistent);
  ASSERT_EQ(found.explained.size(), 3u);
  EXPECT_EQ(found.explained[0].word, word("n"));
  EXPECT_THAT(found.explained[0].kept, Contains("windows ccccccc, N = 2"));
  EXPECT_THAT(found.explained[0].broken, Contains("windows cccc, N = 1"));
  EXPECT_EQ(found.explained[1].word, word("n_plus_one"));
  EXPECT_THAT(found.explained[1].kept, Contains("windows cccc, N = 1"));
  EXPECT_THAT(found.explained[1].broken, Contains("windows ccccccc, N = 2"));
  EXPECT_EQ(identified.at("hysteresis").words, std::vector{word("1")});
  EXPECT_EQ(identified.at("unscale").words, std::vector{word("division")});
}

// Divides in one format and multiplies in the other.
struct UndecidedUnscale : Textbook {
  double unscaled(double x, const Format& format) override {
    if (format.width == 64) return Textbook::unscaled(x, format);
    return static_cast<float>(x) * static_cast<float>(1 / scaler_.scale);
  }
};

TEST(Identify, TellsWhereEachWayOfAMixtureWasSeen) {
  InProcess subject(Textbook::hello(), [] { return std::make_unique<UndecidedUnscale>(); });
  const Finding found = identify(subject).at("unscale");
  EXPECT_EQ(found.state, Finding::State::known);
  EXPECT_EQ(found.words, std::vector{word("reciprocal_binary32")});
  ASSERT_EQ(found.explained.size(), 1u);
  EXPECT_EQ(found.explained[0].word, word("division"));
  EXPECT_THAT(found.explained[0].kept, Contains("scale with 24 bits, binary64, unscaled"));
  EXPECT_THAT(found.explained[0].broken, Contains("scale with 24 bits, binary32, unscaled"));
}

TEST(Identify, SaysWhichLimitLeavesAnAxisOpen) {
  Hello hello = Textbook::hello();
  hello.limits.powers_of_two = true;
  std::erase(hello.operations, std::string("clip_norm"));
  hello.forms = {{"sgd", {"loop"}}};
  InProcess subject(hello, &internal::make_textbook<Textbook>);
  const Identified identified = identify(subject);
  const auto open = [&](const char* axis) {
    const Finding& found = identified.at(axis);
    EXPECT_EQ(found.state, Finding::State::open) << axis;
    EXPECT_TRUE(found.is_harmless) << axis;
    return found.how;
  };
  EXPECT_EQ(open("unscale"), "limits.powers_of_two");
  EXPECT_EQ(open("factor_format"), "limits.powers_of_two");
  EXPECT_EQ(open("clip_epsilon"), "operations without clip_norm");
  EXPECT_EQ(open("adam_bias"), "forms.adam without loop");
  EXPECT_EQ(identified.at("growth_rule").words, std::vector{word("n")});
  EXPECT_THAT(identified.known().declared, Not(Contains(testing::Key("unscale"))));
}

// Shows nothing at all.
class Blind : public Subject {
 public:
  Blind() : hello_(Textbook::hello()) {}
  const Hello& hello() const override { return hello_; }
  void play(const Source& next, const Sink& deliver) override {
    while (const Case* one = next()) {
      Reply reply;
      for (const Step& step : one->steps) {
        Answer& answer = reply.answers.emplace_back();
        for (const std::string& name : step.observe) answer.observed[name] = {Null{}};
      }
      deliver(*one, std::move(reply));
    }
  }

 private:
  Hello hello_;
};

TEST(Identify, WhatIsNotShownIsNotKnown) {
  Blind subject;
  const Identified identified = identify(subject);
  EXPECT_THAT(identified.known().declared, IsEmpty());
  EXPECT_FALSE(identified.at("scale_format").is_harmless);
  EXPECT_THAT(identified.at("scale_format").how, testing::HasSubstr("is null"));
  EXPECT_THAT(nearest_families(identified), IsEmpty());
}

TEST(Identify, AMutantIsNoCrash) {
  std::set<std::string_view> rules;
  for (const BuiltIn& one : built_ins()) {
    if (one.kind != BuiltIn::Kind::mutant || !rules.insert(one.rule).second) continue;
    InProcess subject(one.hello(), one.make);
    EXPECT_EQ(identify(subject).findings.size(), policy_axes().size()) << one.name;
  }
}

}  // namespace
}  // namespace ampcheck::properties::identify
