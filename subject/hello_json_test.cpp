#include "subject/hello_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "subject/malformed_json.hpp"
#include "subject/testdata/examples.hpp"

namespace ampcheck::subject {
namespace {

using nlohmann::json;

std::string fault_with(const std::string& pointer, const json& value) {
  json document = json::parse(dump_hello(examples::every_hello()));
  document[json::json_pointer(pointer)] = value;
  try {
    parse_hello(document.dump());
  } catch (const MalformedJson& error) {
    return error.what();
  }
  return "none";
}

TEST(HelloJson, AHelloComesBack) {
  const Hello made = examples::every_hello();
  const std::string text = dump_hello(made);
  const Hello read = parse_hello(text);
  EXPECT_EQ(dump_hello(read), text);
  EXPECT_EQ(read.formats, made.formats);
  EXPECT_EQ(read.forms, made.forms);
  EXPECT_EQ(read.policy, made.policy);
  EXPECT_EQ(read.norms, made.norms);
  EXPECT_EQ(read.limits.scale_max, made.limits.scale_max);
  EXPECT_EQ(read.limits.missing_gradients, false);
  EXPECT_EQ(read.case_seconds, 30);
}

TEST(HelloJson, TheLeast) {
  const Hello hello = parse_hello(
      R"({"name":"a","version":"","language":"c","operations":[],"formats":{},"profiles":[],"policy":{}})");
  EXPECT_EQ(hello.case_seconds, std::nullopt);
  EXPECT_TRUE(hello.limits.missing_gradients);
  EXPECT_EQ(hello.norms, std::vector{examples::f32(0x40000000)});
}

TEST(HelloJson, Faults) {
  EXPECT_EQ(
      fault_with("/operations/0", "frobnicate"),
      "operations[0]: expected scaler, optimizer, backward, token_window, unscale, clip_norm, "
      "clip_value, step, update, zero_grad, save_load, recipe, observe, own_product, misuse, "
      "class_weights, shift, master_weights, schedule, "
      "recipe_accumulate, recipe_weight_decay, recipe_warm_up or recipe_linear_lr, found "
      "\"frobnicate\"");
  EXPECT_EQ(fault_with("/profiles/0", "everything"),
            "profiles[0]: expected scaler, loop or tokens, found \"everything\"");
  EXPECT_EQ(
      fault_with("/formats/moss", json::array()),
      "formats.moss: expected loss, coefficient, parameter, an operation or operation/form, found "
      "\"moss\"");
  EXPECT_EQ(
      fault_with("/formats/step~1fast", json::array()),
      "formats.step/fast: expected loss, coefficient, parameter, an operation or operation/form, "
      "found \"step/fast\"");
  EXPECT_EQ(fault_with("/formats/loss/0", "float32"),
            "formats.loss[0]: expected binary16, bfloat16, binary32, binary64, float8_e4m3fn or "
            "float8_e5m2, found \"float32\"");
  EXPECT_EQ(fault_with("/formats/parameter/0", "float8_e4m3fnuz"),
            "formats.parameter[0]: expected binary16, bfloat16, binary32, binary64, float8_e4m3fn "
            "or float8_e5m2, found \"float8_e4m3fnuz\"");
  EXPECT_EQ(fault_with("/forms/lion", json::array()),
            "forms.lion: expected sgd, adam or adamw, found kind \"lion\"");
  EXPECT_EQ(fault_with("/norms/0", "two"), "norms[0]: expected inf, found \"two\"");
  EXPECT_EQ(fault_with("/norms/0", 2), "norms[0]: expected a scalar, found 2");
  EXPECT_EQ(fault_with("/limits/tensors", 0),
            "limits.tensors: expected an integer of at least 1, found 0");
  EXPECT_EQ(fault_with("/case_seconds", 0),
            "case_seconds: expected an integer from 1 to 86400, found 0");
}

TEST(HelloJson, FaultsOfAPolicy) {
  EXPECT_EQ(fault_with("/policy/frobnicate", "x"),
            "policy.frobnicate: expected the name of a policy axis, found \"frobnicate\"");
  EXPECT_EQ(fault_with("/policy/unscale", "reciprocal"),
            "policy.unscale: expected division, reciprocal_binary32, reciprocal_binary64 or "
            "either, found "
            "\"reciprocal\"");
  EXPECT_EQ(
      fault_with("/policy/unscale", json::parse(R"({"format":"binary32","bits":"3f800000"})")),
      "policy.unscale: expected division, reciprocal_binary32, reciprocal_binary64 or either, "
      "found "
      "an object of 2");
  EXPECT_EQ(fault_with("/policy/floor", "<number>"),
            "policy.floor: expected none or <number>, found \"<number>\"");
  EXPECT_EQ(fault_with("/policy/floor/bits", "00"),
            "policy.floor.bits: expected 8 hexadecimal digits for binary32, found \"00\"");
}

TEST(HelloJson, EveryWordOfEveryAxis) {
  for (const PolicyAxis& axis : policy_axes())
    for (const std::string_view word : axis.values) {
      if (word.starts_with('<')) continue;
      const Policy policy = parse_policy(json{{std::string(axis.name), std::string(word)}}.dump());
      EXPECT_EQ(policy.at(axis.name).word, word);
    }
}

}  // namespace
}  // namespace ampcheck::subject
