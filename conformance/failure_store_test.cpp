// Failing cases are played first the next time.
#include "conformance/failure_store.hpp"

#include <gtest/gtest.h>

#include "properties/generators/case_builder.hpp"

namespace ampcheck::conformance {
namespace {

// The textbook offers no fused optimizer, and is asked all the same whether the case is fair.
TEST(FailureStore, GivesBackACaseOfEveryForm) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "failure_store_test";
  std::filesystem::remove_all(folder);
  using reference::binary32;
  for (const subject::OptimizerForm form :
       {subject::OptimizerForm::loop, subject::OptimizerForm::foreach,
        subject::OptimizerForm::fused}) {
    properties::CaseBuilder builder;
    builder.scaler({}).sgd("o", {properties::zeros("w", 1, binary32)}, -1, form);
    builder.backward({{"w", properties::vector({properties::dyadic(1, 0, binary32)}, binary32)}})
        .step("o")
        .observe({"parameter/w"});
    properties::ClauseReport report;
    report.clause = properties::find_clause("skipping/clean-step-taken");
    report.verdict = properties::Verdict::fail;
    report.failure.emplace();
    report.failure->shrunk = builder.done();
    report.failure->shrunk.clause = report.clause->id;
    report.failure->shrunk.id = "one";
    const FailureStore store(folder, "subject");
    store.save(report);
    std::vector<std::string> unusable;
    const std::vector<subject::Case> again = store.load(unusable);
    EXPECT_EQ(unusable, std::vector<std::string>());
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again.front(), report.failure->shrunk);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ampcheck::conformance
