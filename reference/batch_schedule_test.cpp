#include "reference/batch_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace ampcheck::reference {
namespace {

using testing::ElementsAre;

TEST(MicroBatches, RoundHalfToEvenAndAreAtLeastOne) {
  EXPECT_EQ(4, micro_batches(64, 16));
  EXPECT_EQ(8, micro_batches(64, 8));
  EXPECT_EQ(1, micro_batches(64, 64));
  EXPECT_EQ(1, micro_batches(64, 1000));
  EXPECT_EQ(2, micro_batches(5, 2));                                          // 2.5
  EXPECT_EQ(4, micro_batches(7, 2));                                          // 3.5
  EXPECT_EQ(5, micro_batches(64, 12));                                        // 5.33
  EXPECT_EQ(3, micro_batches(64, 24));                                        // 2.67
  EXPECT_EQ(1, micro_batches(1, 2));                                          // 0.5
  EXPECT_EQ(std::int64_t{1} << 53, micro_batches(std::int64_t{1} << 53, 1));  // the most
}

TEST(MicroBatches, RampInWarmUp) {
  const auto at = [](std::int64_t index) { return micro_batches_in_warm_up(index, 100, 64, 16); };
  EXPECT_EQ(1, at(0));
  EXPECT_EQ(1, at(16));
  EXPECT_EQ(2, at(17));  // 1.51
  EXPECT_EQ(2, at(50));  // 2.5
  EXPECT_EQ(3, at(51));
  EXPECT_EQ(4, at(84));
  EXPECT_EQ(4, at(100));
  EXPECT_EQ(4, at(1000));
  EXPECT_EQ(1, micro_batches_in_warm_up(100, 100, 16, 64));
}

TEST(WindowEnds, LoseNoMicroBatch) {
  EXPECT_THAT(window_ends({1, 1, 2, 2, 2, 3, 3, 3}, 100), ElementsAre(0, 1, 3, 6, 7));
  EXPECT_THAT(window_ends({2, 2, 2, 2, 2, 2}, 3), ElementsAre(1, 2, 4, 5));
  // A ramp downwards ends a window that already holds enough.
  EXPECT_THAT(window_ends({4, 4, 2, 4}, 100), ElementsAre(2, 3));
  EXPECT_TRUE(window_ends({}, 1).empty());
}

TEST(ScaledWeightDecay, GoesByTheExamplesOfAStep) {
  EXPECT_EQ(Rational(5) / 10000, scaled_weight_decay(Rational(5) / 10000, 64, 16));
  EXPECT_EQ(Rational(5) / 10000 * 60 / 64, scaled_weight_decay(Rational(5) / 10000, 64, 12));
  EXPECT_EQ(Rational(2), scaled_weight_decay(1, 64, 128));
}

TEST(ScaledRate, IsLinearInTheBatch) {
  EXPECT_EQ(Rational(32) / 10, scaled_rate(Rational(1) / 10, 256, 8192));
  EXPECT_EQ(Rational(1) / 10, scaled_rate_in_warm_up(0, 5, Rational(1) / 10, 256, 8192));
  EXPECT_EQ(Rational(1) / 10 + Rational(31) / 50,
            scaled_rate_in_warm_up(1, 5, Rational(1) / 10, 256, 8192));
  EXPECT_EQ(Rational(32) / 10, scaled_rate_in_warm_up(9, 5, Rational(1) / 10, 256, 8192));
}

TEST(BatchSchedule, NamesWhatIsNotPositive) {
  const auto message = [](auto f) -> std::string {
    try {
      f();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ("nominal: expected at least 1, found 0", message([] { micro_batches(0, 1); }));
  EXPECT_EQ("nominal: expected at most 2^53, found 9223372036854775807",
            message([] { micro_batches(INT64_MAX, 1); }));
  EXPECT_EQ("batch: expected at least 1, found -2", message([] { micro_batches(1, -2); }));
  EXPECT_EQ("index: expected at least 0, found -1",
            message([] { micro_batches_in_warm_up(-1, 1, 1, 1); }));
  EXPECT_EQ("warm_up: expected at least 1, found 0",
            message([] { micro_batches_in_warm_up(0, 0, 1, 1); }));
  EXPECT_EQ("asked: expected at least 1, found 0", message([] { window_ends({0}, 1); }));
  EXPECT_EQ("micro_batches_in_epoch: expected at least 1, found 0",
            message([] { window_ends({1}, 0); }));
  EXPECT_EQ("base_batch: expected at least 1, found 0", message([] { scaled_rate(1, 0, 1); }));
  EXPECT_EQ("step: expected at least 0, found -1",
            message([] { scaled_rate_in_warm_up(-1, 1, 1, 1, 1); }));
}

}  // namespace
}  // namespace ampcheck::reference
