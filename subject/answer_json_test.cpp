#include "subject/answer_json.hpp"

#include <gtest/gtest.h>

#include "subject/json_reader.hpp"
#include "subject/malformed_json.hpp"
#include "subject/testdata/examples.hpp"

namespace ampcheck::subject {
namespace {

Case observing(std::vector<std::string> names, std::int64_t ranks = 1) {
  Case made{"i", "c", 0, ranks, {}};
  made.steps.push_back({Observe{}, std::move(names)});
  return made;
}

std::string fault_of(const Case& one, std::string_view answers) {
  try {
    parse_answers(answers, one);
  } catch (const MalformedJson& error) {
    return error.what();
  }
  return "none";
}

Answer answer_of(const Case& one, std::string_view answer) {
  return parse_answers("[" + std::string(answer) + "]", one).at(0);
}

TEST(AnswerJson, EveryAnswerComesBack) {
  const Case one = examples::every_step();
  const std::vector<Answer> answers = examples::every_answer();
  EXPECT_EQ(parse_answers(dump_answers(one, answers), one), answers);
}

TEST(AnswerJson, EveryUnit) {
  for (const Unit unit : {Unit::scaled, Unit::unscaled, Unit::cleared, Unit::unknown}) {
    const Case one = observing({"gradient/w"});
    Answer answer;
    answer.observed["gradient/w"] = {
        ObservedTensor{examples::tensor(reference::binary16, {1}, {1}), unit}};
    EXPECT_EQ(parse_answers(dump_answers(one, {answer}), one).at(0), answer);
  }
}

TEST(AnswerJson, NoGradientAtAll) {
  const Answer answer =
      answer_of(observing({"gradient/w"}), R"({"gradient/w":{"unit":"cleared"}})");
  EXPECT_EQ(std::get<ObservedTensor>(answer.observed.at("gradient/w")[0]).tensor.format, nullptr);
}

TEST(AnswerJson, RanksAnswerWithArrays) {
  const Case one = observing({"stepped"}, 2);
  EXPECT_EQ(answer_of(one, R"({"stepped":[true,null]})").observed.at("stepped"),
            (Observation{true, Null{}}));
  EXPECT_EQ(fault_of(one, R"([{"stepped":[true]}])"),
            "[0].stepped: expected an array of 2 values, one a rank, found an array of 1");
  EXPECT_EQ(fault_of(one, R"([{"stepped":null}])"),
            "[0].stepped: expected an array of 2 values, one a rank, found null");
  Answer answer;
  answer.observed["stepped"] = {true, false};
  EXPECT_EQ(parse_answers(dump_answers(one, {answer}), one).at(0), answer);
}

TEST(AnswerJson, FurtherObservationsAreIgnored) {
  EXPECT_TRUE(answer_of(observing({}), R"({"scale":"not even a scalar"})").observed.empty());
}

TEST(AnswerJson, AnExceptionNeedsNoObservations) {
  const Answer answer = answer_of(observing({"scale"}),
                                  R"({"raised":{"type":"ValueError","text":"no"},"by":"adapter"})");
  EXPECT_EQ(answer.text, "ValueError: no");
  EXPECT_TRUE(answer.by_adapter);
}

TEST(AnswerJson, Faults) {
  const auto fault = [](std::string_view name, std::string_view value) {
    return fault_of(observing({std::string(name)}),
                    "[{\"" + std::string(name) + "\":" + std::string(value) + "}]");
  };
  EXPECT_EQ(fault("scale", "65536.0"), "[0].scale: expected a scalar or null, found 65536.0");
  EXPECT_EQ(fault("growth_count", "true"),
            "[0].growth_count: expected an integer or null, found true");
  EXPECT_EQ(fault("growth_count", "1.5"), "[0].growth_count: expected an integer, found 1.5");
  EXPECT_EQ(fault("growth_count", "\"x\""), "[0].growth_count: expected an integer, found \"x\"");
  EXPECT_EQ(fault("stepped", "1"), "[0].stepped: expected true, false or null, found 1");
  EXPECT_EQ(fault("parameter/w", "[]"), "[0].parameter/w: expected a tensor or null, found []");
  EXPECT_EQ(fault("gradient/w", "0"), "[0].gradient/w: expected a gradient or null, found 0");
  EXPECT_EQ(fault("gradient/w", "{}"), "[0].gradient/w: expected the field \"unit\", found none");
  EXPECT_EQ(fault("gradient/w", R"({"unit":"none"})"),
            "[0].gradient/w.unit: expected scaled, unscaled, cleared or unknown, found \"none\"");
  EXPECT_EQ(fault("gradient/w", R"({"unit":"scaled"})"),
            "[0].gradient/w: expected the field \"format\", found none");
  EXPECT_EQ(fault_of(observing({"scale"}), "[{}]"),
            "[0]: expected the observation \"scale\", found none");
  EXPECT_EQ(fault_of(observing({}), "[{},{}]"),
            "(document): expected 1 answers, one a step, found 2");
  EXPECT_EQ(fault_of(observing({}), "{}"), "(document): expected an array, found {}");
  EXPECT_EQ(fault_of(observing({}), "[null]"), "[0]: expected an answer, found null");
  EXPECT_EQ(fault_of(observing({}), R"([{"with":0}])"),
            "[0].with: expected the index of another step, found 0");
  EXPECT_EQ(fault_of(observing({}), R"([{"with":1}])"),
            "[0].with: expected an integer from 0 to 0, found 1");
  EXPECT_EQ(fault_of(observing({}), R"([{"by":"magic"}])"),
            "[0].by: expected adapter, found \"magic\"");
  EXPECT_EQ(fault_of(observing({}), R"([{"raised":"no"}])"),
            "[0].raised: expected an object, found \"no\"");
}

TEST(AnswerJson, Replies) {
  const Case one = observing({});
  Reply error;
  error.kind = Reply::Kind::error;
  error.text = "out of memory";
  const std::string text = dump_reply(one, error);
  EXPECT_EQ(text, R"({"case":"i","error":"out of memory"})");
  const JsonDocument document(text, "reply");
  EXPECT_EQ(read_reply(JsonReader(document), one).text, "out of memory");
  Reply answered;
  answered.answers.resize(1);
  EXPECT_EQ(dump_reply(one, answered), R"({"case":"i","answers":[{}]})");
}

}  // namespace
}  // namespace ampcheck::subject
