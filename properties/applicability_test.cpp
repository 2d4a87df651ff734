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

}  // namespace
}  // namespace ampcheck::properties
