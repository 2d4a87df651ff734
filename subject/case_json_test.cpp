#include "subject/case_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "subject/malformed_json.hpp"
#include "subject/testdata/examples.hpp"

namespace ampcheck::subject {
namespace {

using nlohmann::json;

std::string fault_of(const json& document) {
  try {
    parse_case(document.dump());
  } catch (const MalformedJson& error) {
    return error.what();
  }
  return "none";
}

// The example with one value replaced or, where the new one is null, one field left out.
std::string fault_with(const std::string& pointer, const json& value) {
  json document = json::parse(dump_case(examples::every_step()));
  const json::json_pointer at(pointer);
  if (value.is_null())
    document.at(at.parent_pointer()).erase(at.back());
  else
    document[at] = value;
  return fault_of(document);
}

std::string fault_of_step(const std::string& step) {
  return fault_of(json::parse(R"({"id":"a","steps":[)" + step + "]}"));
}

TEST(CaseJson, EveryStepComesBack) {
  const Case made = examples::every_step();
  std::set<std::string_view> names;
  for (const Step& step : made.steps) names.insert(step.name());
  EXPECT_EQ(names.size(), std::variant_size_v<Action>) << "the example lacks a step";
  EXPECT_EQ(parse_case(dump_case(made)), made);
}

TEST(CaseJson, TheCanonicalText) {
  Case made{"i", "scaling/linear", 7, 1, {}};
  made.steps.push_back({ZeroGrad{"a", true}, {"gradient/w"}});
  made.steps.push_back({Backward{examples::f32(0x3f800000), {}, 1, true, false}, {}});
  EXPECT_EQ(dump_case(made),
            R"({"id":"i","clause":"scaling/linear","seed":7,"ranks":1,"steps":[)"
            R"({"op":"zero_grad","optimizer":"a","to_none":true,"observe":["gradient/w"]},)"
            R"({"op":"backward","loss":{"format":"binary32","bits":"3f800000"},"coefficients":[],)"
            R"("divide":1,"last":true,"own_product":false}]})");
}

TEST(CaseJson, WhatHasADefaultMayBeLeftOut) {
  const Case made = parse_case(R"({"id":"i","steps":[
    {"op":"optimizer","name":"a","kind":"sgd","hyper":{},"parameters":[]},
    {"op":"zero_grad","optimizer":"a"},
    {"op":"token_window","parameter":"w","ranks":[[]]},
    {"op":"clip_norm","optimizers":["a"],"limit":{"format":"binary16","bits":"3c00"}}]})");
  EXPECT_EQ(made.ranks, 1);
  EXPECT_EQ(std::get<MakeOptimizer>(made.steps[0].action).form, OptimizerForm::loop);
  EXPECT_TRUE(std::get<ZeroGrad>(made.steps[1].action).to_none);
  EXPECT_EQ(std::get<TokenWindow>(made.steps[2].action).ignore_index, -100);
  EXPECT_EQ(std::get<ClipNorm>(made.steps[3].action).p, examples::f32(0x40000000));
}

// Nothing that another subject would not know.
TEST(CaseJson, WeightsAndShiftsAreWrittenWhereTheyAre) {
  Case made = examples::every_step();
  for (Step& step : made.steps)
    if (auto* window = std::get_if<TokenWindow>(&step.action)) {
      EXPECT_EQ(dump_case(made).find("class_weights"), std::string::npos);
      EXPECT_EQ(dump_case(made).find("shift"), std::string::npos);
      EXPECT_EQ(dump_case(made).find("rows"), std::string::npos);
      window->class_weights = {&reference::binary32, {1}, {0x3f800000}};
      window->shift = 1;
      window->ranks.front().front().rows = 2;
    }
  const std::string text = dump_case(made);
  EXPECT_NE(text.find(R"("rows":2}],[]],"class_weights":{"format":"binary32","shape":[1],)"
                      R"("bits":"3f800000"},"shift":1)"),
            std::string::npos);
  EXPECT_EQ(parse_case(text), made);
}

TEST(CaseJson, MasterWeightsAreWrittenWhereTheyAre) {
  Case made = examples::every_step();
  EXPECT_EQ(dump_case(made).find("master_weights"), std::string::npos);
  std::get<MakeOptimizer>(made.steps[1].action).master_weights = true;
  made.steps[1].observe.emplace_back("master/w");
  const std::string text = dump_case(made);
  EXPECT_NE(text.find(R"("master_weights":true,"observe":["parameter/w","master/w"])"),
            std::string::npos);
  EXPECT_EQ(parse_case(text), made);
}

TEST(CaseJson, SchedulesAreWrittenWhereTheyAre) {
  Case made = examples::every_step();
  EXPECT_EQ(dump_case(made).find("schedule"), std::string::npos);
  std::get<MakeOptimizer>(made.steps[1].action).schedule = {examples::f32(0x3f800000),
                                                            examples::f32(0)};
  const std::string text = dump_case(made);
  EXPECT_NE(text.find(R"("schedule":[{"format":"binary32","bits":"3f800000"},)"),
            std::string::npos);
  EXPECT_EQ(parse_case(text), made);
}

TEST(CaseJson, TheLargestMagnitudeIsAWord) {
  const std::string text = dump_case(examples::every_step());
  EXPECT_NE(text.find(R"("limit":{"format":"binary32","bits":"3f800000"},"p":"inf")"),
            std::string::npos);
}

TEST(CaseJson, UnknownFieldsAreIgnored) {
  EXPECT_EQ(fault_of(json::parse(R"({"id":"i","new":1,"steps":[{"op":"update","new":{}}]})")),
            "none");
}

TEST(CaseJson, LargeIntegersAreStrings) {
  const std::string text = dump_case(examples::every_step());
  EXPECT_NE(text.find(R"("seed":"1152921504606846976")"), std::string::npos);
  EXPECT_NE(text.find(R"("times":[1,"18014398509481984"])"), std::string::npos);
}

TEST(CaseJson, FaultsOfACase) {
  EXPECT_EQ(fault_of(json::parse("[]")), "(document): expected a case, found []");
  EXPECT_EQ(fault_of(json::parse("{}")), "(document): expected the field \"id\", found none");
  EXPECT_EQ(fault_of(json::parse(R"({"id":""})")), "id: expected a name, found \"\"");
  EXPECT_EQ(fault_of(json::parse(R"({"id":"a","steps":{}})")),
            "steps: expected an array, found {}");
  EXPECT_EQ(fault_with("/ranks", 0), "ranks: expected an integer from 1 to 1024, found 0");
  EXPECT_EQ(fault_with("/seed", -1),
            "seed: expected an integer from 0 to 2^64 - 1 (beyond 2^53: as a string), found -1");
  EXPECT_EQ(fault_with("/seed", "18446744073709551616"),
            "seed: expected an integer from 0 to 2^64 - 1 (beyond 2^53: as a string), found "
            "\"18446744073709551616\"");
}

TEST(CaseJson, FaultsOfSteps) {
  EXPECT_EQ(fault_of_step("3"), "steps[0]: expected an object, found 3");
  EXPECT_EQ(
      fault_of_step(R"({"op":"frobnicate"})"),
      "steps[0].op: expected scaler, optimizer, backward, token_window, unscale, clip_norm, "
      "clip_value, step, update, zero_grad, save_load, recipe or observe, found \"frobnicate\"");
  EXPECT_EQ(fault_of_step(R"({"op":"update","observe":["scale","sacle"]})"),
            "steps[0].observe[1]: expected the name of an observation, found \"sacle\"");
  EXPECT_EQ(fault_of_step(R"({"op":"update","observe":["scale","scale"]})"),
            "steps[0].observe[1]: expected a name that is new, found \"scale\"");
  EXPECT_EQ(fault_with("/steps/3/loss/bits", "3f80"),
            "steps[3].loss.bits: expected 8 hexadecimal digits for binary32, found \"3f80\"");
  EXPECT_EQ(fault_with("/steps/3/loss", nullptr),
            "steps[3]: expected the field \"loss\", found none");
  EXPECT_EQ(fault_with("/steps/3/divide", 0),
            "steps[3].divide: expected an integer of at least 1, found 0");
  EXPECT_EQ(fault_with("/steps/3/last", 1), "steps[3].last: expected true or false, found 1");
  EXPECT_EQ(fault_with("/steps/0/growth_interval", 1.5),
            "steps[0].growth_interval: expected an integer, found 1.5");
  EXPECT_EQ(fault_with("/steps/3/coefficients/1", json::parse(R"({"parameter":"w"})")),
            "steps[3].coefficients[1].parameter: expected a parameter that is not yet among them, "
            "found \"w\"");
  EXPECT_EQ(fault_with("/steps/6/p", "infinity"), "steps[6].p: expected inf, found \"infinity\"");
  for (const char* bits : {"00000000", "bf800000", "7f800000", "7fc00000"})
    EXPECT_EQ(fault_with("/steps/6/p", json{{"format", "binary32"}, {"bits", bits}}),
              "steps[6].p: expected a finite number above 0, or \"inf\", found an object of 2");
  EXPECT_EQ(fault_with("/steps/6/optimizers/1", "a"),
            "steps[6].optimizers[1]: expected a name that is new, found \"a\"");
}

TEST(CaseJson, FaultsOfOptimizers) {
  EXPECT_EQ(fault_with("/steps/1/kind", "rmsprop"),
            "steps[1].kind: expected sgd, adam or adamw, found \"rmsprop\"");
  EXPECT_EQ(fault_with("/steps/1/form", "fast"),
            "steps[1].form: expected loop, foreach or fused, found \"fast\"");
  EXPECT_EQ(fault_with("/steps/1/hyper/beta1", 1),
            "steps[1].hyper.beta1: expected lr, momentum, dampening or weight_decay, found "
            "hyper-parameter \"beta1\"");
  EXPECT_EQ(fault_with("/steps/2/hyper/eps", nullptr),
            "steps[2].hyper: expected the field \"eps\", found none");
  EXPECT_EQ(
      fault_with("/steps/1/parameters/1/name", "w"),
      "steps[1].parameters[1].name: expected a name that no other parameter has, found \"w\"");
  EXPECT_EQ(fault_with("/steps/1/parameters/0/initial/shape", json::array({2, 3})),
            "steps[1].parameters[0].initial.bits: expected 6 patterns for the shape, found 4");
}

TEST(CaseJson, FaultsOfTokens) {
  const std::string batch = "/steps/4/ranks/0/0/";
  EXPECT_EQ(fault_with("/steps/4/ranks", json::array()),
            "steps[4].ranks: expected at least one rank, found []");
  EXPECT_EQ(fault_with(batch + "times", json::array({1})),
            "steps[4].ranks[0][0].times: expected 2 numbers, one a label, found an array of 1");
  EXPECT_EQ(fault_with(batch + "times/0", -1),
            "steps[4].ranks[0][0].times[0]: expected an integer of at least 0, found -1");
  EXPECT_EQ(fault_with(batch + "losses/shape", json::array({2, 1})),
            "steps[4].ranks[0][0].losses: expected the shape [2], found [2,1]");
  EXPECT_EQ(fault_with(batch + "coefficients/shape", json::array({1, 2})),
            "steps[4].ranks[0][0].coefficients: expected the shape [2,n], found [1,2]");
  EXPECT_EQ(fault_with("/steps/4/reducer", "max"),
            "steps[4].reducer: expected mean or sum, found \"max\"");
}

TEST(CaseJson, APathIsEscapedAndShort) {
  const std::string fault =
      fault_of_step(R"({"op":"optimizer","name":"a","kind":"sgd","hyper":{"\n)" +
                    std::string(1000, 'x') + R"(":0},"parameters":[]})");
  EXPECT_LT(fault.size(), 300u);
  EXPECT_EQ(fault.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace ampcheck::subject
