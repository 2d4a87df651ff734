#include "subject/hello_json.hpp"

#include <algorithm>

#include "subject/json_reader.hpp"
#include "subject/names.hpp"
#include "subject/norm_order_json.hpp"
#include "subject/number_json.hpp"

namespace ampcheck::subject {
namespace {

constexpr std::int64_t kMaxCaseSeconds = 86400;
constexpr std::string_view kNumberWord = "<number>";
constexpr std::string_view kFormatWord = "<format>";

std::vector<std::string_view> operation_words() {
  std::vector<std::string_view> words(kOperations.begin(), kOperations.end());
  words.insert(words.end(), std::begin(kAbilities), std::end(kAbilities));
  return words;
}

std::vector<std::string> read_words(const JsonReader& in, std::span<const std::string_view> words) {
  std::vector<std::string> read;
  for (std::size_t i = 0; i < in.size(); ++i) read.emplace_back(words[in.element(i).one_of(words)]);
  return read;
}

std::vector<std::string> read_texts(const JsonReader& in) {
  std::vector<std::string> read;
  for (std::size_t i = 0; i < in.size(); ++i) read.emplace_back(in.element(i).text());
  return read;
}

// "loss", "coefficient", "parameter", an operation, or operation/form.
bool is_taker(std::string_view what) {
  if (what == "loss" || what == "coefficient" || what == "parameter") return true;
  const std::size_t slash = what.find('/');
  if (slash != std::string_view::npos &&
      std::ranges::find(kOptimizerForms, what.substr(slash + 1)) == std::end(kOptimizerForms))
    return false;
  return std::ranges::find(kOperations, what.substr(0, slash)) != kOperations.end();
}

void read_formats(const JsonReader& in, Hello& hello) {
  in.each_field([&](const std::string& what, const JsonReader& list) {
    if (!is_taker(what))
      list.fail("loss, coefficient, parameter, an operation or operation/form",
                text_in_short(what));
    auto& formats = hello.formats[what];
    for (std::size_t i = 0; i < list.size(); ++i) formats.push_back(&read_format(list.element(i)));
  });
}

void read_forms(const JsonReader& in, Hello& hello) {
  in.each_field([&](const std::string& kind, const JsonReader& list) {
    if (std::ranges::find(kOptimizerKinds, kind) == std::end(kOptimizerKinds))
      list.fail(alternatives(kOptimizerKinds), "kind " + text_in_short(kind));
    hello.forms[kind] = read_words(list, kOptimizerForms);
  });
}

std::vector<Scalar> read_norms(const JsonReader& in) {
  std::vector<Scalar> norms;
  for (std::size_t i = 0; i < in.size(); ++i) norms.push_back(read_norm_order(in.element(i)));
  return norms;
}

Limits read_limits(const JsonReader& in) {
  Limits limits;
  if (const auto least = in.find("scale_min")) limits.scale_min = read_scalar(*least);
  if (const auto most = in.find("scale_max")) limits.scale_max = read_scalar(*most);
  if (const auto powers = in.find("powers_of_two")) limits.powers_of_two = powers->boolean();
  if (const auto tensors = in.find("tensors")) limits.tensors = tensors->integer(1);
  if (const auto elements = in.find("elements")) limits.elements = elements->integer(1);
  if (const auto missing = in.find("missing_gradients"))
    limits.missing_gradients = missing->boolean();
  return limits;
}

PolicyValue read_policy_value(const JsonReader& in, const PolicyAxis& axis) {
  const auto takes = [&](std::string_view word) {
    return std::ranges::find(axis.values, word) != axis.values.end();
  };
  const std::string wanted = alternatives(axis.values);
  if (in.type() == JsonNode::Type::object && takes(kNumberWord)) return {"", read_scalar(in)};
  if (in.type() != JsonNode::Type::string) in.fail(wanted);
  const std::string_view word = in.text();
  const bool placeholder = word == kNumberWord || word == kFormatWord;
  const bool known = takes(word) && !placeholder;
  if (!known && !(takes(kFormatWord) && find_format(word) != nullptr)) in.fail(wanted);
  return {std::string(word), {}};
}

void write_words(JsonWriter& out, std::string_view key, const std::vector<std::string>& words) {
  out.key(key).begin_array();
  for (const std::string& word : words) out.text(word);
  out.end_array();
}

void write_policy(JsonWriter& out, const Policy& policy) {
  out.begin_object();
  for (const auto& [axis, value] : policy.declared) {
    out.key_of_any(axis);
    if (value.number.format != nullptr)
      write_scalar(out, value.number);
    else
      out.text(value.word);
  }
  out.end_object();
}

void write_limits(JsonWriter& out, const Limits& limits) {
  out.begin_object();
  if (limits.scale_min) write_scalar(out.key("scale_min"), *limits.scale_min);
  if (limits.scale_max) write_scalar(out.key("scale_max"), *limits.scale_max);
  out.key("powers_of_two").boolean(limits.powers_of_two);
  if (limits.tensors) out.key("tensors").integer(*limits.tensors);
  if (limits.elements) out.key("elements").integer(*limits.elements);
  out.key("missing_gradients").boolean(limits.missing_gradients);
  out.end_object();
}

}  // namespace

std::string dump_policy(const Policy& policy) {
  std::string text;
  JsonWriter out(text);
  write_policy(out, policy);
  return text;
}

std::string dump_hello(const Hello& hello) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("name").text(hello.name).key("version").text(hello.version);
  out.key("language").text(hello.language);
  write_words(out, "operations", hello.operations);
  write_words(out, "composed", hello.composed);
  write_words(out, "private", hello.private_switches);
  out.key("forms").begin_object();
  for (const auto& [kind, forms] : hello.forms) write_words(out, kind, forms);
  out.end_object();
  out.key("formats").begin_object();
  for (const auto& [what, formats] : hello.formats) {
    out.key_of_any(what).begin_array();
    for (const NumberFormat* format : formats) out.word(format->name);
    out.end_array();
  }
  out.end_object();
  out.key("norms").begin_array();
  for (const Scalar& p : hello.norms) write_norm_order(out, p);
  out.end_array();
  write_words(out, "profiles", hello.profiles);
  write_policy(out.key("policy"), hello.policy);
  write_limits(out.key("limits"), hello.limits);
  if (hello.case_seconds) out.key("case_seconds").integer(*hello.case_seconds);
  out.end_object();
  return text;
}

Policy read_policy(const JsonReader& in) {
  in.expect_object("a policy");
  Policy policy;
  in.each_field([&](const std::string& name, const JsonReader& value) {
    const PolicyAxis* axis = find_policy_axis(name);
    if (axis == nullptr) value.fail("the name of a policy axis", text_in_short(name));
    policy.declared.emplace(name, read_policy_value(value, *axis));
  });
  return policy;
}

Hello read_hello(const JsonReader& in) {
  in.expect_object("a hello");
  Hello hello;
  hello.name = in.field("name").name();
  hello.version = in.field("version").text();
  hello.language = in.field("language").text();
  const std::vector<std::string_view> operations = operation_words();
  hello.operations = read_words(in.field("operations"), operations);
  if (const auto composed = in.find("composed")) hello.composed = read_words(*composed, operations);
  if (const auto switches = in.find("private")) hello.private_switches = read_texts(*switches);
  if (const auto forms = in.find("forms")) read_forms(*forms, hello);
  read_formats(in.field("formats"), hello);
  if (const auto norms = in.find("norms")) hello.norms = read_norms(*norms);
  hello.profiles = read_words(in.field("profiles"), kProfiles);
  hello.policy = read_policy(in.field("policy"));
  if (const auto limits = in.find("limits")) hello.limits = read_limits(*limits);
  if (const auto seconds = in.find("case_seconds"))
    hello.case_seconds = seconds->integer(1, kMaxCaseSeconds);
  return hello;
}

Hello parse_hello(std::string_view text, std::string_view name) {
  const JsonDocument document(text, name);
  return read_hello(JsonReader(document));
}

Policy parse_policy(std::string_view text, std::string_view name) {
  const JsonDocument document(text, name);
  return read_policy(JsonReader(document));
}

}  // namespace ampcheck::subject
