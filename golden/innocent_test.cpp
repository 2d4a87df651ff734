// Right implementations are not blamed, and their guilty twins are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "properties/check_case.hpp"
#include "properties/clause.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "reference/rounding.hpp"
#include "subject/answer_json.hpp"
#include "subject/case_json.hpp"
#include "subject/hello_json.hpp"
#include "subject/json_reader.hpp"

namespace ampcheck::golden {
namespace {

namespace fs = std::filesystem;
using namespace subject;
using Outcome = properties::Judgement::Outcome;

const fs::path kFolder = fs::path(AMPCHECK_ROOT) / "golden/innocent";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string explained(const properties::Judgement& judgement) {
  if (!judgement.fault) return judgement.reason;
  const properties::Fault& fault = *judgement.fault;
  return fault.kind + " at step " + std::to_string(fault.step) + " " + fault.observation + "[" +
         std::to_string(fault.element) + "]: expected " + fault.expected + ", actual " +
         fault.actual;
}

struct Innocent {
  Policy policy;
  Case played;
  std::vector<Answer> answers;

  properties::Judgement judge() const {
    const properties::Clause* clause = properties::find_clause(played.clause);
    if (clause == nullptr) throw std::logic_error("no clause " + played.clause);
    properties::check_case(played);
    return properties::judge(played, answers, properties::reference_policy(policy),
                             clause->decides);
  }
};

// The other bits, boolean, or words of the policy that a change names.
Innocent changed(Innocent one, const JsonReader& change) {
  if (const auto policy = change.find("policy")) {
    for (const auto& [axis, value] : read_policy(*policy).declared)
      one.policy.declared[axis] = value;
    return one;
  }
  Observation& seen = one.answers.at(change.field("step").natural())
                          .observed.at(std::string(change.field("observation").text()));
  Value& value = seen.front();
  if (change.find("flip")) {
    std::get<bool>(value) = !std::get<bool>(value);
    return one;
  }
  const std::uint64_t bits = std::stoull(std::string(change.field("bits").text()), nullptr, 16);
  if (auto* tensor = std::get_if<ObservedTensor>(&value))
    tensor->tensor.bits.at(change.field("element").natural()) = bits;
  else
    std::get<Scalar>(value).bits = bits;
  return one;
}

TEST(Innocent, PassAndTheirTwinsFail) {
  EXPECT_GE(files().size(), 35u);
  for (const fs::path& path : files()) {
    SCOPED_TRACE(path.filename().string());
    const std::string text = read(path);
    const JsonDocument document(text, path.filename().string());
    const JsonReader whole(document);
    const JsonReader played = whole.field("case"), answers = whole.field("answers");
    Innocent one{read_policy(whole.field("policy")), read_case(played), {}};
    one.answers = read_answers(answers, one.played);
    EXPECT_THAT(one.policy.missing(), testing::IsEmpty());
    const properties::Judgement judgement = one.judge();
    EXPECT_EQ(judgement.outcome, Outcome::pass) << explained(judgement);

    const JsonReader about = whole.field("innocent");
    const JsonReader guilty = about.field("guilty");
    EXPECT_GE(guilty.size(), 1u);
    bool answers_tell = false;
    for (std::size_t i = 0; i < guilty.size(); ++i) {
      const JsonReader change = guilty.element(i);
      const properties::Judgement twin = changed(one, change).judge();
      EXPECT_EQ(twin.outcome, Outcome::fail) << "guilty[" << i << "] " << explained(twin);
      answers_tell = answers_tell || !change.find("policy");
    }
    EXPECT_TRUE(answers_tell) << "no twin differs in its answers";
  }
}

TEST(Innocent, NoItemIsForgotten) {
  std::set<std::string> items;
  for (const fs::path& path : files()) {
    std::string name = path.stem().string();
    std::erase_if(name, [](char c) { return c >= 'a' && c <= 'z'; });
    items.insert(name);
  }
  std::istringstream lines(read(kFolder / "not_yet.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 2) << line;
    items.insert(line.substr(0, line.find(' ')));
  }
  std::set<std::string> all;
  for (int i = 1; i <= 15; ++i) all.insert("A" + std::to_string(i));
  EXPECT_EQ(items, all);
}

}  // namespace
}  // namespace ampcheck::golden
