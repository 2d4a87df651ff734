#include "subject/adapters.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

namespace ampcheck::subject {
namespace {

namespace fs = std::filesystem;

class Adapters : public testing::Test {
 protected:
  Adapters() { fs::create_directories(checkout_); }
  ~Adapters() override { fs::remove_all(checkout_); }

  fs::path checkout_ = testing::TempDir() + "ampcheck_checkout_" + std::to_string(getpid());
};

TEST_F(Adapters, TheirNames) {
  EXPECT_TRUE(is_adapter("torch"));
  EXPECT_FALSE(is_adapter("textbook"));
}

TEST_F(Adapters, WithoutAnEnvironmentItSaysWhatToDo) {
  try {
    adapter_command("torch", checkout_);
    FAIL();
  } catch (const NoInterpreter& error) {
    EXPECT_STREQ(
        error.what(),
        "torch has no Python environment yet: run ./dev adapter torch, or name an interpreter with "
        "--python");
  }
}

TEST_F(Adapters, TheEnvironmentOfTheCheckout) {
  const fs::path python = checkout_ / "build/adapters/torch/bin/python";
  fs::create_directories(python.parent_path());
  std::ofstream(python) << "#!/bin/sh\n";
  EXPECT_THROW(adapter_command("torch", checkout_), NoInterpreter) << "not executable";
  fs::permissions(python, fs::perms::owner_all);
  const Command command = adapter_command("torch", checkout_);
  EXPECT_THAT(command.argv, testing::ElementsAre(python.string(), "-m", "ampcheck", "torch"));
  EXPECT_THAT(command.environment.at("PYTHONPATH"),
              testing::StartsWith((checkout_ / "subject/adapters/python").string()));
}

TEST_F(Adapters, AnInterpreterOfTheUser) {
  EXPECT_EQ(adapter_command("torch", checkout_, "sh").argv[0], "sh");
  EXPECT_EQ(adapter_command("torch", checkout_, "/bin/sh").argv[0], "/bin/sh");
  try {
    adapter_command("torch", checkout_, "/no/such/python");
    FAIL();
  } catch (const NoInterpreter& error) {
    EXPECT_STREQ(error.what(), "--python /no/such/python: there is no such program");
  }
  EXPECT_THROW(adapter_command("torch", checkout_, "no-such-python"), NoInterpreter);
}

}  // namespace
}  // namespace ampcheck::subject
