#include "properties/diagnosis.hpp"

#include <algorithm>

#include "properties/engine.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;

// What was seen at the fault; null where the step itself is at fault.
const Observation* seen(const std::vector<Answer>& answers, const Fault& fault) {
  const auto& observed = answers[fault.step].observed;
  const auto found = observed.find(fault.observation);
  return found == observed.end() ? nullptr : &found->second;
}

bool explains(InProcess& mutant, const FailingCase& failing) {
  const Reply reply = mutant.play(failing.played);
  if (reply.kind != Reply::Kind::answered) return false;
  if (reply.answers[failing.fault.step].kind != failing.answers[failing.fault.step].kind)
    return false;
  const Observation* expected = seen(failing.answers, failing.fault);
  const Observation* actual = seen(reply.answers, failing.fault);
  return expected == nullptr ? actual == nullptr : actual != nullptr && *expected == *actual;
}

bool keeps(InProcess& mutant, const Clause& clause, const Case& passing) {
  return run_case(mutant, clause, passing).verdict != Verdict::fail;
}

bool explains(const BuiltIn& mistake, const Symptoms& symptoms) {
  InProcess mutant(mistake.hello(), mistake.make);
  return std::ranges::all_of(symptoms.failing,
                             [&](const FailingCase& one) { return explains(mutant, one); }) &&
         std::ranges::all_of(symptoms.passing,
                             [&](const Case& one) { return keeps(mutant, *symptoms.clause, one); });
}

}  // namespace

std::vector<std::vector<const BuiltIn*>> diagnose(const std::vector<const Symptoms*>& all,
                                                  const std::vector<const BuiltIn*>& mistakes) {
  std::vector<std::vector<const BuiltIn*>> found(all.size());
  std::vector<const BuiltIn*> everywhere;
  for (const BuiltIn* mistake : mistakes) {
    std::size_t explained = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (explains(*mistake, *all[i])) {
        found[i].push_back(mistake);
        ++explained;
      }
    if (explained == all.size()) everywhere.push_back(mistake);
  }
  for (std::vector<const BuiltIn*>& names : found) {
    if (!everywhere.empty()) names = everywhere;
    if (names.size() > kMostNames) names.clear();
  }
  return found;
}

std::vector<std::vector<const BuiltIn*>> diagnose(const std::vector<const Symptoms*>& all) {
  std::vector<const BuiltIn*> mistakes;
  for (const BuiltIn& one : built_ins())
    if (one.kind == BuiltIn::Kind::mutant) mistakes.push_back(&one);
  return diagnose(all, mistakes);
}

}  // namespace ampcheck::properties
