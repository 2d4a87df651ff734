// The folder in the repository is what the definitions make, and every kind of difference is seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "golden/golden.hpp"
#include "subject/case_json.hpp"
#include "subject/json_reader.hpp"

namespace ampcheck::golden {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void replace(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("ampcheck_golden_" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(Files, InTheRepositoryAreAsDefined) {
  EXPECT_THAT(check(fs::path(AMPCHECK_ROOT) / "golden/vectors"), IsEmpty());
}

TEST_F(Files, ThatWereJustWrittenAreRight) {
  write(folder_);
  EXPECT_THAT(check(folder_), IsEmpty());
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    EXPECT_TRUE(entry.is_directory() || entry.path().extension() == ".json") << entry.path();
}

TEST_F(Files, ThatAreRightAreNotTouched) {
  write(folder_);
  const fs::path one = folder_ / (vectors().front().id + ".json");
  const auto then = fs::file_time_type(std::chrono::seconds(1000));
  fs::last_write_time(one, then);
  write(folder_);
  EXPECT_EQ(fs::last_write_time(one), then);
}

TEST_F(Files, AreMissedWhereTheyAreMissing) {
  EXPECT_EQ(check(folder_).size(), vectors().size());
  write(folder_);
  fs::remove(folder_ / "scaling/step-of-0.002.json");
  EXPECT_THAT(check(folder_), ElementsAre("scaling/step-of-0.002.json: missing"));
}

TEST_F(Files, ThatNobodyDefinedAreTooMany) {
  write(folder_);
  replace(folder_ / "scaling/other.json", "{}\n");
  EXPECT_THAT(check(folder_), ElementsAre("scaling/other.json: no vector of this name"));
}

TEST_F(Files, ShowTheirFirstDifferentLine) {
  write(folder_);
  const fs::path path = folder_ / "scaling/step-of-0.002.json";
  const std::string right = read(path);
  std::string wrong = right;
  wrong.replace(wrong.find("\"-1/500\""), 8, "\"-1/501\"");
  replace(path, wrong);
  EXPECT_THAT(check(folder_), ElementsAre(AllOf(StartsWith("scaling/step-of-0.002.json: line "),
                                                HasSubstr("-1/501"), HasSubstr("-1/500"))));
  replace(path, right + "\n");
  EXPECT_THAT(check(folder_), ElementsAre(HasSubstr("in the place of the end")));
  replace(path, right.substr(0, right.size() - 1));
  EXPECT_THAT(check(folder_), ElementsAre(HasSubstr("the end of the last line")));
  replace(path, "");
  EXPECT_THAT(check(folder_), ElementsAre(HasSubstr("line 1: the end in the place of")));
}

TEST_F(Files, HoldTheCaseThatASubjectGets) {
  for (const Vector& vector : vectors()) {
    const std::string text = render(vector);
    const subject::JsonDocument document(text, vector.id);
    const subject::JsonReader whole(document);
    const subject::JsonReader inner = whole.field("case");
    EXPECT_EQ(subject::read_case(inner), vector.played) << vector.id;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; ++at)
      EXPECT_NE(text[at - 1], ' ') << vector.id;
  }
}

}  // namespace
}  // namespace ampcheck::golden
