// The tests of reference/ over the changed sources. AMPCHECK_MUTATION_TRACE names a file to which
// the name of every test, its milliseconds, and the changes that it reached are written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/mutation/mutation.hpp"

namespace mutation {

bool reached[kMaxChanges];

int in_force() {
  const char* number = std::getenv("AMPCHECK_MUTANT");
  return number == nullptr ? -1 : std::atoi(number);
}

}  // namespace mutation

namespace {

class Trace : public testing::EmptyTestEventListener {
 public:
  explicit Trace(const char* path) : out_(path) {}

  void OnTestStart(const testing::TestInfo&) override {
    std::fill(std::begin(mutation::reached), std::end(mutation::reached), false);
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    out_ << test.test_suite_name() << '.' << test.name() << ' ' << test.result()->elapsed_time();
    for (int i = 0; i < mutation::kMaxChanges; ++i)
      if (mutation::reached[i]) out_ << ' ' << i;
    out_ << '\n';
    out_.flush();
  }

 private:
  std::ofstream out_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char* path = std::getenv("AMPCHECK_MUTATION_TRACE"))
    testing::UnitTest::GetInstance()->listeners().Append(new Trace(path));  // owned from now on
  return RUN_ALL_TESTS();
}
