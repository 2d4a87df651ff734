// What every generator promises of its cases.
#include <gtest/gtest.h>

#include <set>

#include "properties/check_case.hpp"
#include "properties/clause.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "reference/rounding.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;

constexpr std::uint64_t kCases = 300;

TEST(Generators, MakeWellFormedCasesOnceAndForAll) {
  for (const Clause& clause : clauses())
    for (std::uint64_t i = 0; i < kCases; ++i) {
      const Case one = generate_case(clause, 7, i);
      ASSERT_NO_THROW(check_case(one)) << one.id;
      ASSERT_EQ(one, generate_case(clause, 7, i)) << one.id;
    }
}

TEST(Generators, MakeDifferentCases) {
  for (const Clause& clause : clauses()) {
    std::set<std::size_t> sizes;
    std::size_t equal = 0;
    for (std::uint64_t i = 0; i + 1 < kCases; ++i) {
      Case a = generate_case(clause, 7, i), b = generate_case(clause, 7, i + 1);
      a.id = b.id;
      equal += a == b ? 1 : 0;
    }
    EXPECT_LT(equal, kCases / 10) << clause.id;
  }
}

Tensor widened(Tensor tensor) {
  for (std::uint64_t& bits : tensor.bits)
    bits = reference::convert({tensor.format, bits}, reference::binary32);
  tensor.format = &reference::binary32;
  return tensor;
}

// A step that moves nothing shows nothing: every clean step of a case whose parameters are looked
// at changes a bit of one of them or of its master, unless all of them are empty.
TEST(Generators, EveryCleanStepMovesABit) {
  InProcess subject = textbook_in_process();
  for (const Clause& clause : clauses()) {
    if ((clause.decides & kParameter) == 0) continue;
    for (std::uint64_t i = 0; i < kCases; ++i) {
      Case one = generate_case(clause, 7, i);
      std::map<std::string, std::vector<std::string>> owned;
      for (Step& step : one.steps) {
        if (const auto* made = std::get_if<MakeOptimizer>(&step.action))
          for (const Parameter& p : made->parameters) {
            owned[made->name].push_back("parameter/" + p.name);
            if (made->master_weights) owned[made->name].push_back("master/" + p.name);
          }
        const auto* taken = std::get_if<TakeStep>(&step.action);
        if (taken == nullptr) continue;
        step.observe = owned[taken->optimizer];
        step.observe.emplace_back("stepped");
      }
      const Reply reply = subject.play(one);
      ASSERT_EQ(reply.kind, Reply::Kind::answered) << one.id << reply.text;
      std::map<std::string, Observation> before;
      for (std::size_t s = 0; s < one.steps.size(); ++s) {
        const auto* taken = std::get_if<TakeStep>(&one.steps[s].action);
        if (const auto* made = std::get_if<MakeOptimizer>(&one.steps[s].action))
          for (const Parameter& p : made->parameters) {
            const auto ranks = static_cast<std::size_t>(one.ranks);
            before["parameter/" + p.name] =
                Observation(ranks, ObservedTensor{p.initial, Unit::none});
            if (made->master_weights)
              before["master/" + p.name] =
                  Observation(ranks, ObservedTensor{widened(p.initial), Unit::none});
          }
        if (taken == nullptr || reply.answers[s].kind == Answer::Kind::raised) continue;
        const auto& seen = reply.answers[s].observed;
        bool moved = false, any = false;
        for (const std::string& name : owned[taken->optimizer])
          any |= !std::get<ObservedTensor>(seen.at(name).front()).tensor.bits.empty();
        for (const std::string& name : owned[taken->optimizer])
          moved |= seen.at(name) != before[name];
        for (const std::string& name : owned[taken->optimizer]) before[name] = seen.at(name);
        if (!any) continue;
        ASSERT_EQ(moved, std::get<bool>(seen.at("stepped").front())) << one.id << " step " << s;
      }
    }
  }
}

// Half of the deciding patterns of every clause but two have one right value.
TEST(Generators, AreOrderExact) {
  InProcess subject = textbook_in_process();
  const reference::Policy policy = reference_policy(Textbook::hello().policy);
  for (const Clause& clause : clauses()) {
    std::int64_t patterns = 0, single = 0;
    for (std::uint64_t i = 0; i < kCases; ++i) {
      const Case one = generate_case(clause, 7, i);
      const Judgement judgement = judge(one, subject.play(one).answers, policy, clause.decides);
      ASSERT_EQ(judgement.outcome, Judgement::Outcome::pass) << one.id << " " << judgement.reason;
      patterns += judgement.patterns;
      single += judgement.single;
    }
    // Irregular gradients are what this clause is about.
    const bool irregular = clause.id == "clipping/clipped-values";
    EXPECT_GE(single, irregular ? 1 : patterns / 2) << clause.id;
  }
}

}  // namespace
}  // namespace ampcheck::properties
