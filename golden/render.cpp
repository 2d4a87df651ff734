#include <string>

#include "golden/expected.hpp"
#include "golden/vectors.hpp"
#include "properties/draw.hpp"
#include "subject/case_json.hpp"
#include "subject/hello_json.hpp"
#include "subject/json_writer.hpp"
#include "subject/number_json.hpp"

namespace ampcheck::golden {
namespace {

using subject::JsonWriter;

// Lines with commas between them.
class Lines {
 public:
  explicit Lines(std::string& out) : out_(out) {}
  std::string& next() {
    out_ += first_ ? "\n" : ",\n";
    first_ = false;
    return out_;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

// The case as dump_case writes it, a step a line.
void append_steps(std::string& out, const subject::Case& played) {
  subject::Case part = played;
  part.steps.clear();
  const std::string head = subject::dump_case(part);
  const std::size_t steps = head.size() - 2;  // before "]}"
  out += head.substr(0, steps);
  Lines lines(out);
  for (const subject::Step& step : played.steps) {
    part.steps = {step};
    const std::string whole = subject::dump_case(part);
    lines.next() += whole.substr(steps, whole.size() - steps - 2);
  }
  out += "\n]}";
}

void append_place(JsonWriter& out, const Place& place) {
  out.key("step").natural(place.step).key("observation").text(place.observation);
  if (!place.unit.empty()) out.key("unit").word(place.unit);
}

void append_head(std::string& text, const Vector& vector) {
  Lines lines(text);
  const auto field = [&](const char* key, const std::string& value) {
    std::string& line = lines.next();
    line += '"' + std::string(key) + "\":";
    subject::append_quoted(line, value);
  };
  field("id", vector.id);
  field("clause", vector.clause);
  field("source", vector.source);
  field("sentence", vector.sentence);
  lines.next() += "\"generator\":" + std::to_string(properties::kGeneratorVersion);
  field("command", "ampcheck golden write");
  for (const auto& [name, tensor] : vector.material) {
    std::string& line = lines.next();
    line += '"' + name + "\":";
    JsonWriter out(line);
    subject::write_tensor(out, tensor);
  }
  text += '\n';
}

void append_exact(std::string& text, const std::vector<ExactEntry>& entries) {
  Lines lines(text);
  for (const ExactEntry& entry : entries) {
    JsonWriter out(lines.next());
    out.begin_object();
    append_place(out, entry.place);
    out.key("values").begin_array();
    for (const auto& value : entry.values)
      if (value)
        out.word(value->to_string());
      else
        out.null();
    out.end_array().end_object();
  }
  text += '\n';
}

void append_sets(std::string& text, const std::vector<SetEntry>& entries) {
  Lines lines(text);
  for (const SetEntry& entry : entries) {
    std::string& line = lines.next();
    JsonWriter out(line);
    out.begin_object();
    append_place(out, entry.place);
    out.key("policies").begin_array();
    for (const std::string& name : entry.policies) out.word(name);
    out.end_array();
    line += ',' + entry.fields;
    out.end_object();
  }
  text += '\n';
}

void append_mistakes(std::string& text, const std::vector<MistakeEntry>& entries) {
  Lines lines(text);
  for (const MistakeEntry& entry : entries) {
    JsonWriter out(lines.next());
    out.begin_object().key("mistake").text(entry.name).key("sentence").text(entry.sentence);
    append_place(out, entry.place);
    out.key("element").natural(entry.element);
    if (!entry.exact.empty()) out.key("exact").word(entry.exact);
    out.key("shows");
    out.raw() += entry.shown;
    out.end_object();
  }
  text += '\n';
}

}  // namespace

std::string render(const Vector& vector) {
  const Expected expected = expected_of(vector);
  std::string text = "{\"vector\":{";
  append_head(text, vector);
  text += "},\n\"case\":";
  append_steps(text, vector.played);
  text += ",\n\"expected\":{\"policies\":{";
  Lines policies(text);
  for (const auto& [name, policy] : expected.policies)
    policies.next() += '"' + name + "\":" + subject::dump_policy(policy);
  text += "\n},\n\"exact\":[";
  append_exact(text, expected.exact);
  text += "],\n\"sets\":[";
  append_sets(text, expected.sets);
  text += "],\n\"mistakes\":[";
  append_mistakes(text, expected.mistakes);
  text += "]}}\n";
  return text;
}

}  // namespace ampcheck::golden
