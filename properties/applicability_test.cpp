#include "properties/applicability.hpp"

#include <gtest/gtest.h>

#include "properties/generators/case_builder.hpp"
#include "subject/textbook.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::binary16;
using reference::binary32;

TEST(Applicability, ANormIsOfAPThatIsOffered) {
  const auto with = [](const Scalar& p) {
    CaseBuilder builder;
    builder.scaler({}).sgd("o", {zeros("w", 1, binary32)});
    builder.backward({{"w", vector({0}, binary32)}}).unscale("o");
    return builder.clip_norm({"o"}, scalar_power_of_two(0, binary32), p).done();
  };
  const Scalar two = scalar_power_of_two(1, binary16), inf = scalar(binary16.infinity(), binary16);
  Hello hello = Textbook::hello();
  EXPECT_EQ(inapplicable(with(two), hello), "");
  EXPECT_EQ(inapplicable(with(inf), hello), "");
  hello.norms = Hello{}.norms;
  EXPECT_EQ(inapplicable(with(two), hello), "");
  EXPECT_EQ(inapplicable(with(inf), hello), "norms without inf");
}

TEST(Applicability, WeightsAndShiftsAreOfferedByName) {
  const auto with = [](const subject::Tensor& weights, std::int64_t shift) {
    subject::TokenWindow window;
    window.parameter = "w";
    window.ranks = {{}};
    window.class_weights = weights;
    window.shift = shift;
    CaseBuilder builder;
    return builder.scaler({}).sgd("o", {zeros("w", 1, binary32)}).add(std::move(window)).done();
  };
  const subject::Tensor weights = vector({dyadic(1, 0, binary32)}, binary32);
  Hello hello = Textbook::hello();
  EXPECT_EQ(inapplicable(with(weights, 1), hello), "");
  std::erase(hello.operations, "shift");
  EXPECT_EQ(inapplicable(with(weights, 0), hello), "");
  EXPECT_EQ(inapplicable(with({}, 1), hello), "operations without shift");
  std::erase(hello.operations, "class_weights");
  EXPECT_EQ(inapplicable(with({}, 0), hello), "");
  EXPECT_EQ(inapplicable(with(weights, 0), hello), "operations without class_weights");
}

TEST(Applicability, MastersAndTheirOddsAreOffered) {
  subject::MakeOptimizer made;
  made.name = "o";
  made.parameters = {zeros("w", 1, binary16)};
  made.master_weights = true;
  CaseBuilder builder;
  Case one = builder.scaler({}).optimizer(made).done();
  Hello hello = Textbook::hello();
  EXPECT_EQ(inapplicable(one, hello), "");
  one.clause = "weights/stochastic-unbiased";
  EXPECT_EQ(inapplicable(one, hello), "policy.copy_rounding is not stochastic");
  hello.policy.declared["copy_rounding"] = {"stochastic", {}};
  EXPECT_EQ(inapplicable(one, hello), "");
  std::erase(hello.operations, "master_weights");
  EXPECT_EQ(inapplicable(one, hello), "operations without master_weights");
}

TEST(Applicability, SchedulesAreOfferedByName) {
  subject::MakeOptimizer made;
  made.name = "o";
  made.parameters = {zeros("w", 1, binary32)};
  made.schedule = {scalar_power_of_two(0, binary32)};
  CaseBuilder builder;
  const Case one = builder.scaler({}).optimizer(made).done();
  Hello hello = Textbook::hello();
  EXPECT_EQ(inapplicable(one, hello), "");
  std::erase(hello.operations, "schedule");
  EXPECT_EQ(inapplicable(one, hello), "operations without schedule");
}

TEST(Applicability, NoProfileRequiresWeights) {
  for (const char* clause :
       {"weights/copy-is-rounded-master", "weights/no-scaler-profile",
        "accumulation/narrow-accumulator-declared", "skipping/schedule-follows"})
    EXPECT_FALSE(is_required(clause, {"tokens"})) << clause;
}

}  // namespace
}  // namespace ampcheck::properties
