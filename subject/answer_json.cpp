#include "subject/answer_json.hpp"

#include <fmt/format.h>

#include "subject/json_reader.hpp"
#include "subject/names.hpp"
#include "subject/number_json.hpp"

namespace ampcheck::subject {
namespace {

// Of an exception or a refusal, in bytes: the reports show it.
constexpr std::size_t kLongestText = 2000;

using Type = JsonNode::Type;

// What every observation is given, for readers of the protocol.
std::string_view wanted(Shown kind) {
  switch (kind) {
    case Shown::scalar:
      return "a scalar or null";
    case Shown::integer:
      return "an integer or null";
    case Shown::integers:
      return "a list of integers or null";
    case Shown::boolean:
      return "true, false or null";
    case Shown::tensor:
      return "a tensor or null";
    case Shown::gradient:
      return "a gradient or null";
    case Shown::nothing_known:
      break;
  }
  return "null";
}

// Units that may be written; the first, `none`, is only ours.
constexpr auto kWrittenUnits = std::span(kUnits).subspan(1);

ObservedTensor read_gradient(const JsonReader& in) {
  in.expect_object(wanted(Shown::gradient));
  ObservedTensor gradient;
  gradient.unit = static_cast<Unit>(1 + in.field("unit").one_of(kWrittenUnits));
  // A cleared gradient is there, as zeros, or is not there at all.
  if (gradient.unit != Unit::cleared || in.find("format")) gradient.tensor = read_tensor(in);
  return gradient;
}

Value read_value(const JsonReader& in, Shown kind) {
  if (in.is_null()) return Null{};
  switch (kind) {
    case Shown::scalar:
      in.expect_object(wanted(kind));
      return read_scalar(in);
    case Shown::integer:
      if (in.type() != Type::number && in.type() != Type::string) in.fail(wanted(kind));
      return in.integer();
    case Shown::integers: {
      if (in.type() != Type::array) in.fail(wanted(kind));
      Integers read;
      for (std::size_t i = 0; i < in.size(); ++i) read.values.push_back(in.element(i).integer());
      return read;
    }
    case Shown::boolean:
      if (in.type() != Type::boolean) in.fail(wanted(kind));
      return in.boolean();
    case Shown::tensor:
      in.expect_object(wanted(kind));
      return ObservedTensor{read_tensor(in), Unit::none};
    case Shown::gradient:
      return read_gradient(in);
    case Shown::nothing_known:
      break;
  }
  in.fail(wanted(kind));
}

Observation read_observation(const JsonReader& in, Shown kind, std::int64_t ranks) {
  if (ranks == 1) return {read_value(in, kind)};
  const auto count = static_cast<std::size_t>(ranks);
  if (in.type() != Type::array || in.size() != count)
    in.fail(fmt::format("an array of {} values, one a rank", ranks));
  Observation values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(read_value(in.element(i), kind));
  return values;
}

Answer read_answer(const JsonReader& in, const Case& one, std::size_t index) {
  in.expect_object("an answer");
  Answer answer;
  if (const auto by = in.find("by")) {
    static constexpr std::string_view kAdapter[] = {"adapter"};
    by->one_of(kAdapter);
    answer.by_adapter = true;
  }
  if (const auto raised = in.find("raised")) {
    answer.kind = Answer::Kind::raised;
    answer.text = fmt::format("{}: {}", raised->field("type").text(), raised->field("text").text());
    if (answer.text.size() > kLongestText) answer.text.resize(kLongestText);
  } else if (const auto why = in.find("unsupported")) {
    answer.kind = Answer::Kind::unsupported;
    answer.text = why->text();
    if (answer.text.size() > kLongestText) answer.text.resize(kLongestText);
  } else if (const auto with = in.find("with")) {
    answer.kind = Answer::Kind::with;
    answer.with = with->integer(0, static_cast<std::int64_t>(one.steps.size()) - 1);
    if (answer.with == static_cast<std::int64_t>(index)) with->fail("the index of another step");
  }
  for (const std::string& name : one.steps[index].observe) {
    const auto value = in.find(name);
    if (value)
      answer.observed.emplace(name, read_observation(*value, shown_by(name), one.ranks));
    else if (answer.kind == Answer::Kind::done)
      in.fail(fmt::format("the observation {}", text_in_short(name)), "none");
  }
  return answer;
}

struct ValueWriter {
  JsonWriter& out;
  void operator()(const Null&) const { out.null(); }
  void operator()(bool value) const { out.boolean(value); }
  void operator()(std::int64_t value) const { out.integer(value); }
  void operator()(const Integers& value) const {
    out.begin_array();
    for (const std::int64_t one : value.values) out.integer(one);
    out.end_array();
  }
  void operator()(const Scalar& value) const { write_scalar(out, value); }
  void operator()(const ObservedTensor& value) const {
    out.begin_object();
    if (value.tensor.format != nullptr) write_tensor_fields(out, value.tensor);
    if (value.unit != Unit::none)
      out.key("unit").word(kUnits[static_cast<std::size_t>(value.unit)]);
    out.end_object();
  }
};

void write_answer(JsonWriter& out, const Answer& answer, bool many_ranks) {
  out.begin_object();
  switch (answer.kind) {
    case Answer::Kind::done:
      break;
    case Answer::Kind::raised: {
      const std::size_t colon = answer.text.find(": ");
      const bool typed = colon != std::string::npos;
      const std::string_view text = answer.text;
      out.key("raised").begin_object().key("type").text(typed ? text.substr(0, colon) : "");
      out.key("text").text(typed ? text.substr(colon + 2) : text).end_object();
      break;
    }
    case Answer::Kind::with:
      out.key("with").integer(answer.with);
      break;
    case Answer::Kind::unsupported:
      out.key("unsupported").text(answer.text);
      break;
  }
  for (const auto& [name, values] : answer.observed) {
    out.key_of_any(name);
    if (many_ranks) out.begin_array();
    for (const Value& value : values) std::visit(ValueWriter{out}, value);
    if (many_ranks) out.end_array();
  }
  if (answer.by_adapter) out.key("by").word("adapter");
  out.end_object();
}

void write_answers(JsonWriter& out, const Case& one, const std::vector<Answer>& answers) {
  out.begin_array();
  for (const Answer& answer : answers) write_answer(out, answer, one.ranks > 1);
  out.end_array();
}

}  // namespace

std::string dump_reply(const Case& one, const Reply& reply) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("case").text(one.id);
  if (reply.kind == Reply::Kind::answered)
    write_answers(out.key("answers"), one, reply.answers);
  else
    out.key("error").text(reply.text);
  out.end_object();
  return text;
}

std::string dump_answers(const Case& one, const std::vector<Answer>& answers) {
  std::string text;
  JsonWriter out(text);
  write_answers(out, one, answers);
  return text;
}

std::vector<Answer> read_answers(const JsonReader& in, const Case& one) {
  if (in.size() != one.steps.size())
    in.fail(fmt::format("{} answers, one a step", one.steps.size()), fmt::format("{}", in.size()));
  std::vector<Answer> answers;
  answers.reserve(one.steps.size());
  for (std::size_t i = 0; i < one.steps.size(); ++i)
    answers.push_back(read_answer(in.element(i), one, i));
  return answers;
}

std::vector<Answer> parse_answers(std::string_view text, const Case& one, std::string_view name) {
  const JsonDocument document(text, name);
  return read_answers(JsonReader(document), one);
}

Reply read_reply(const JsonReader& in, const Case& one) {
  Reply reply;
  if (const auto error = in.find("error")) {
    reply.kind = Reply::Kind::error;
    reply.text = error->text();
  } else {
    reply.answers = read_answers(in.field("answers"), one);
  }
  return reply;
}

}  // namespace ampcheck::subject
