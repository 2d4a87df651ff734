#include "properties/shrinkers/shrink_failure.hpp"

#include <rapidcheck/seq/Operations.h>
#include <rapidcheck/shrinkable/Create.h>
#include <rapidcheck/shrinkable/Operations.h>

#include <chrono>
#include <utility>

#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "properties/shrinkers/shrink_case.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {

void shrink(subject::Subject& subject, const Clause& clause, const reference::Policy& policy,
            double seconds, Failure& failure) {
  if (!failure.fault) return;
  const auto start = std::chrono::steady_clock::now();
  const std::string kind = failure.fault->kind;
  subject::InProcess textbook(subject::Textbook::hello(),
                              [] { return std::make_unique<subject::Textbook>(); });
  const reference::Policy textbook_policy = reference_policy(textbook.hello().policy);
  const auto tree = rc::shrinkable::shrinkRecur(failure.original, [](const subject::Case& from) {
    return rc::seq::fromContainer(smaller_cases(from));
  });
  // RapidCheck's search keeps the first smaller case that still fails, and goes on from there.
  rc::shrinkable::findLocalMin(tree, [&](const subject::Case& smaller) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds)
      return false;
    ++failure.tries;
    // A right implementation must pass what is kept: else the case, and not the subject, is at
    // fault.
    const subject::Reply right = textbook.play(smaller);
    if (right.kind != subject::Reply::Kind::answered ||
        judge(smaller, right.answers, textbook_policy, clause.decides).outcome !=
            Judgement::Outcome::pass)
      return false;
    subject::Reply reply = subject.play(smaller);
    if (reply.kind != subject::Reply::Kind::answered) return false;
    Judgement judgement = judge(smaller, reply.answers, policy, clause.decides);
    if (judgement.outcome != Judgement::Outcome::fail || judgement.fault->kind != kind)
      return false;
    failure.shrunk = smaller;
    failure.reply = std::move(reply);
    failure.fault = std::move(judgement.fault);
    return true;
  });
}

}  // namespace ampcheck::properties
