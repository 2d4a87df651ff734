#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "conformance/atomic_file.hpp"
#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/output.hpp"
#include "conformance/subjects.hpp"
#include "properties/identify/families.hpp"
#include "subject/hello_json.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::ordered_json;
using namespace properties::identify;

std::string listed(const std::vector<subject::PolicyValue>& words) {
  std::vector<std::string> texts;
  for (const subject::PolicyValue& word : words) texts.push_back(text_of(word));
  return fmt::format("{}", fmt::join(texts, ", "));
}

const char* name_of(Finding::State state) {
  switch (state) {
    case Finding::State::known:
      return "known";
    case Finding::State::open:
      return "cannot tell";
    case Finding::State::inconsistent:
      return "inconsistent";
  }
  return "";
}

std::string table(const Identified& identified) {
  std::string text;
  for (const Finding& found : identified.findings) {
    const bool is_known = found.state == Finding::State::known;
    text += fmt::format("  {:<18} {:<20} {}\n", found.axis,
                        is_known ? text_of(found.words.front()) : name_of(found.state), found.how);
    const auto more = [&](const std::string& line) {
      text += fmt::format("  {:<18} {:<20} {}\n", "", "", line);
    };
    if (!is_known && !found.words.empty()) more("left: " + listed(found.words));
    if (!found.wider.empty()) more("explains it, too, and admits more: " + listed(found.wider));
    for (const Explained& one : found.explained) {
      const std::size_t all = one.kept.size() + one.broken.size();
      more(fmt::format("{} explains {} of {}{}", text_of(one.word), one.kept.size(), all,
                       one.kept.empty() ? "" : fmt::format(": {}", fmt::join(one.kept, "; "))));
    }
  }
  return text;
}

std::string family_lines(const std::vector<Likeness>& nearest) {
  if (nearest.empty()) return "nearest known family: none, nothing of its schedule is known\n";
  std::string text;
  for (const Likeness& one : nearest) {
    text += fmt::format("nearest known family: {}{}\n", one.family->name,
                        one.departures.empty() ? "" : ", but for");
    for (const Departure& departure : one.departures)
      text += fmt::format("  {:<18} {} and not {}\n", departure.axis, text_of(departure.found),
                          text_of(departure.expected));
  }
  return text;
}

Json texts_of(const std::vector<subject::PolicyValue>& words) {
  Json list = Json::array();
  for (const subject::PolicyValue& word : words) list.push_back(text_of(word));
  return list;
}

Json to_json(const Identified& identified, const std::vector<Likeness>& nearest) {
  Json json;
  json["cases"] = identified.cases;
  json["axes"] = Json::array();
  for (const Finding& found : identified.findings) {
    Json axis{{"axis", found.axis},
              {"state", name_of(found.state)},
              {"words", texts_of(found.words)},
              {"wider", texts_of(found.wider)},
              {"how", found.how}};
    for (const Explained& one : found.explained)
      axis["explained"].push_back(
          {{"word", text_of(one.word)}, {"kept", one.kept}, {"broken", one.broken}});
    json["axes"].push_back(std::move(axis));
  }
  json["families"] = Json::array();
  for (const Likeness& one : nearest) {
    Json departures = Json::array();
    for (const Departure& departure : one.departures)
      departures.push_back({{"axis", departure.axis},
                            {"found", text_of(departure.found)},
                            {"family", text_of(departure.expected)}});
    json["families"].push_back({{"name", one.family->name}, {"departures", departures}});
  }
  json["policy"] = Json::parse(subject::dump_policy(identified.known()));
  return json;
}

}  // namespace

int identify_command(const IdentifyOptions& options) {
  const std::unique_ptr<subject::Subject> subject =
      open_subject(options.subject, {options.python, options.messages});
  const auto start = std::chrono::steady_clock::now();
  const Identified identified = identify(*subject);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const std::vector<Likeness> nearest = nearest_families(identified);
  const std::size_t known = identified.known().declared.size();
  if (options.json) {
    Json json{{"subject", options.subject}, {"seconds", seconds.count()}};
    json.update(to_json(identified, nearest));
    print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
  } else {
    print("{}\n\n{}\n{}\n{} of {} axes known, from {} cases; {:.1f} s\n", options.subject,
          table(identified), family_lines(nearest), known, identified.findings.size(),
          identified.cases, seconds.count());
  }
  if (!options.output.empty())
    write_file(options.output, subject::dump_policy(identified.known()) + "\n");
  if (known == 0) throw Exit(kUsage, "nothing could be told: " + identified.findings.front().how);
  return kConforms;
}

}  // namespace ampcheck::conformance
