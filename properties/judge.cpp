#include "properties/judge.hpp"

#include <utility>

#include "properties/answer_form.hpp"
#include "properties/judge_walk.hpp"

namespace ampcheck::properties {
namespace {

Judgement malformed(std::string reason) {
  Judgement result;
  result.outcome = Judgement::Outcome::malformed;
  result.reason = std::move(reason);
  return result;
}

}  // namespace

Judgement judge(const subject::Case& played, const std::vector<subject::Answer>& answers,
                const reference::Policy& policy, unsigned decides, Coverage* coverage) {
  if (std::string fault = form_fault(played, answers); !fault.empty())
    return malformed(std::move(fault));
  return judging::Walk(played, answers, policy, decides, coverage).run();
}

}  // namespace ampcheck::properties
