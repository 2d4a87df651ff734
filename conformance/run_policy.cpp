#include "conformance/run_policy.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "conformance/atomic_file.hpp"
#include "conformance/exit_code.hpp"
#include "properties/applicability.hpp"
#include "properties/identify/identify.hpp"
#include "subject/hello_json.hpp"
#include "subject/malformed_json.hpp"
#include "subject/with_policy.hpp"

namespace ampcheck::conformance {
namespace {

using properties::identify::Finding;
using properties::identify::is_narrower;
using properties::identify::is_same;
using properties::identify::text_of;
using subject::Policy;

Policy load_policy(const std::filesystem::path& file) {
  try {
    return subject::parse_policy(read_file(file), file.string());
  } catch (const subject::MalformedJson& error) {
    throw Exit(kUsage, error.what());
  }
}

// A wider word is no other word: a subject may declare that it does either of what was found.
void refuse_contradictions(const Policy& declared, const Policy& given, const std::string& name,
                           const std::filesystem::path& file) {
  std::vector<std::string> contradictions;
  for (const auto& [axis, value] : given.declared) {
    const auto own = declared.declared.find(axis);
    if (own == declared.declared.end() || is_same(own->second, value) ||
        is_narrower(axis, value, own->second))
      continue;
    contradictions.push_back(fmt::format("policy.{}: it declares {}, {} says {}", axis,
                                         text_of(own->second), file.string(), text_of(value)));
  }
  if (!contradictions.empty())
    throw Exit(kDoesNotConform, fmt::format("{}: {}", name, fmt::join(contradictions, "; ")));
}

// Of these and what is wider than they are.
subject::PolicyValue widest(const Finding& found) {
  subject::PolicyValue most = found.words.front();
  for (const subject::PolicyValue& other : found.wider)
    if (is_narrower(found.axis, most, other)) most = other;
  return most;
}

// The words for axes that must be declared and are not; and in `wider` the widest, where they are
// others.
void fill(Policy& policy, std::optional<Policy>& wider, subject::Subject& subject,
          const std::string& name) {
  const std::vector<std::string> missing = policy.missing();
  if (missing.empty()) return;
  Policy wide = policy;
  bool differs = false;
  const properties::identify::Identified identified = properties::identify::identify(subject);
  std::vector<std::string> problems;
  for (const std::string& axis : missing) {
    const Finding& found = identified.at(axis);
    const bool is_settled = found.state == Finding::State::known || found.is_harmless;
    if (is_settled && !found.words.empty()) {
      policy.declared[axis] = found.words.front();
      wide.declared[axis] = widest(found);
      differs = differs || !is_same(widest(found), found.words.front());
    } else {
      problems.push_back(fmt::format("{} ({})", axis, found.how));
    }
  }
  if (differs) wider = std::move(wide);
  if (!problems.empty())
    throw Exit(kSubjectDidNotStart,
               fmt::format("{}: hello.policy: not declared, and not to be told: {}", name,
                           fmt::join(problems, ", ")));
}

}  // namespace

WithWholePolicy with_whole_policy(std::unique_ptr<subject::Subject> subject,
                                  const std::string& name, const std::filesystem::path& file) {
  Policy policy = subject->hello().policy;
  if (!file.empty()) {
    const Policy given = load_policy(file);
    refuse_contradictions(policy, given, name, file);
    for (const auto& [axis, value] : given.declared) policy.declared[axis] = value;
  }
  WithWholePolicy result;
  fill(policy, result.wider, *subject, name);
  result.subject = std::make_unique<subject::WithPolicy>(std::move(subject), std::move(policy));
  const std::string problem = properties::hello_problem(result.subject->hello());
  if (!problem.empty())
    throw Exit(file.empty() ? kSubjectDidNotStart : kUsage, name + ": " + problem);
  return result;
}

}  // namespace ampcheck::conformance
