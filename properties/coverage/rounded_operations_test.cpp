// What is counted of a case, and that the suite reaches all that can be reached.
#include "properties/coverage/rounded_operations.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/coverage/unreachable.hpp"
#include "properties/engine.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "reference/share_test.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace reference;

using Cells = std::vector<std::pair<std::string, std::int64_t>>;

std::string to_string(const CoverageCell& cell) {
  return std::string(name_of(cell.operation)) + " " + std::string(cell.format->name) + " " +
         std::string(name_of(cell.operand)) + " " +
         std::string(cell.situation ? name_of(*cell.situation) : "not finite");
}

// Cells that were counted.
Cells counted(const Case& one) {
  subject::InProcess subject = subject::textbook_in_process();
  const subject::Reply reply = subject.play(one);
  Coverage coverage;
  const Judgement judgement = judge(one, reply.answers, reference_policy(subject.hello().policy),
                                    kGradient | kParameter, &coverage);
  EXPECT_NE(Judgement::Outcome::fail, judgement.outcome);
  Cells cells;
  for (const CoverageCell& cell : all_cells())
    if (coverage.times(cell) > 0) cells.emplace_back(to_string(cell), coverage.times(cell));
  return cells;
}

std::uint64_t third(const NumberFormat& f) { return round_to(Rational(1) / 3, f); }

// S = 3: 3·RN(1/3) in binary16 is 1 - 2^-12, which is rounded up to 1; the second micro-batch adds
// 3·2^-24, which is half way between two numbers of binary32; and a third of that is none.
TEST(RoundedOperations, AreThoseOfACase) {
  ScalerPlan plan;
  plan.init_scale = scalar(round_to(Rational(3), binary32), binary32);
  CaseBuilder builder;
  builder.scaler(plan)
      .sgd("o", {zeros("w", 1, binary32)})
      .backward({{"w", vector({third(binary16)}, binary16)}}, false)
      .backward({{"w", vector({1}, binary16)}})
      .unscale("o")
      .observe({"gradient/w"})
      .step("o")
      .observe({"parameter/w"});
  EXPECT_EQ((Cells{{"scale binary16 subnormal exact", 1},
                   {"scale binary16 normal carry", 1},
                   {"accumulate binary32 subnormal tie up", 1},
                   {"unscale binary32 normal below half", 1},
                   {"step binary32 normal exact", 1}}),
            counted(builder.done()));
}

// Neither a master's step nor one of a schedule is one of the parameter at `lr`.
TEST(RoundedOperations, StepsAreThoseOfPlainSgd) {
  const auto steps = [](const auto& change) {
    subject::MakeOptimizer sgd;
    sgd.name = "o";
    sgd.hyper["lr"] = scalar_power_of_two(-1, binary64);
    sgd.parameters = {zeros("w", 1, binary16)};
    change(sgd);
    CaseBuilder builder;
    builder.scaler({}).optimizer(sgd);
    builder.backward({{"w", vector({third(binary16)}, binary16)}})
        .step("o")
        .observe({"parameter/w"});
    const Cells cells = counted(builder.done());
    return std::ranges::count_if(cells,
                                 [](const auto& cell) { return cell.first.starts_with("step"); });
  };
  EXPECT_EQ(1, steps([](subject::MakeOptimizer&) {}));
  EXPECT_EQ(0, steps([](subject::MakeOptimizer& o) { o.master_weights = true; }));
  EXPECT_EQ(0, steps([](subject::MakeOptimizer& o) { o.schedule = {o.hyper["lr"]}; }));
  for (const char* setting : {"momentum", "weight_decay"})
    EXPECT_EQ(0, steps([&](subject::MakeOptimizer& o) { o.hyper[setting] = o.hyper["lr"]; }));
}

// (3, 4) clipped to 1 is (3/5, 4/5). What is not clipped, and what is not finite, is not rounded.
TEST(RoundedOperations, ClipsCountWhereTheyClip) {
  const auto clip = [](int log2_of_limit, std::uint64_t second) {
    ScalerPlan plan;
    CaseBuilder builder;
    builder.scaler(plan)
        .sgd("o", {zeros("w", 2, binary32)})
        .backward({{"w", vector({round_to(Rational(3), binary32), second}, binary32)}})
        .unscale("o")
        .clip_norm({"o"}, scalar_power_of_two(log2_of_limit, binary32))
        .observe({"gradient/w"});
    Cells clips;
    for (const auto& [cell, times] : counted(builder.done()))
      if (cell.starts_with("clip")) clips.emplace_back(cell, times);
    return clips;
  };
  const std::uint64_t four = round_to(Rational(4), binary32);
  EXPECT_EQ((Cells{{"clip binary32 normal above half", 2}}), clip(0, four));
  EXPECT_EQ(Cells{}, clip(3, four));
  EXPECT_EQ(Cells{}, clip(0, binary32.infinity()));
}

TEST(OperandClass, PartsThePatternsOfAFormat) {
  const NumberFormat& f = binary16;
  for (const std::uint64_t sign : {std::uint64_t{0}, f.sign_bit()}) {
    EXPECT_EQ(OperandClass::zero, operand_class(sign, f));
    EXPECT_EQ(OperandClass::subnormal, operand_class(sign | 1, f));
    EXPECT_EQ(OperandClass::subnormal, operand_class(sign | 0x3ff, f));
    EXPECT_EQ(OperandClass::normal, operand_class(sign | 0x400, f));
    EXPECT_EQ(OperandClass::normal, operand_class(sign | 0x77ff, f));
    EXPECT_EQ(OperandClass::largest, operand_class(sign | 0x7800, f));
    EXPECT_EQ(OperandClass::largest, operand_class(sign | 0x7bff, f));
    EXPECT_EQ(OperandClass::infinity, operand_class(sign | 0x7c00, f));
    EXPECT_EQ(OperandClass::nan, operand_class(sign | 0x7c01, f));
  }
}

// Each cell of the model is reached at standard, or a reason stands why it cannot be.
TEST(CoverageModel, EveryCellIsReachedOrCannotBe) {
  EngineOptions options;
  options.cases_per_clause = 200 / kShare;
  options.duplicates = false;
  options.coverage = true;
  std::vector<const Clause*> all;
  for (const Clause& clause : clauses()) all.push_back(&clause);
  subject::InProcess subject = subject::textbook_in_process();
  const Coverage coverage = coverage_of(run(subject, all, options));
  for (const CoverageCell& cell : all_cells()) {
    const std::string_view why = why_unreachable(cell);
    if (!why.empty()) {
      EXPECT_EQ(0, coverage.times(cell)) << to_string(cell) << ": " << why;
    } else if (kShare == 1) {
      EXPECT_GT(coverage.times(cell), 0) << to_string(cell);
    }
  }
}

}  // namespace
}  // namespace ampcheck::properties
