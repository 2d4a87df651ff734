#include "properties/shrinkers/shrink_failure.hpp"

#include <rapidcheck/seq/Operations.h>
#include <rapidcheck/shrinkable/Create.h>
#include <rapidcheck/shrinkable/Operations.h>

#include <chrono>
#include <string_view>
#include <utility>

#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "properties/shrinkers/shrink_case.hpp"
#include "subject/in_process.hpp"

namespace ampcheck::properties {
namespace {

// In the id of a case that is no longer what the generator draws for that id.
constexpr std::string_view kShrunk = ".shrunk";

}  // namespace

void shrink(subject::Subject& subject, const Clause& clause, const reference::Policy& policy,
            double seconds, Failure& failure) {
  using subject::Reply;
  // Without a fault the subject fell; a fall that takes its time is not looked for again and again.
  if (!failure.fault &&
      (failure.reply.kind == Reply::Kind::answered || failure.reply.kind == Reply::Kind::timed_out))
    return;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(seconds));
  const std::string kind = failure.fault ? failure.fault->kind : "";
  subject.stop_at(end);
  subject::InProcess textbook = subject::textbook_in_process();
  const reference::Policy textbook_policy = reference_policy(textbook.hello().policy);
  const auto tree = rc::shrinkable::shrinkRecur(failure.original, [](const subject::Case& from) {
    return rc::seq::fromContainer(smaller_cases(from));
  });
  // RapidCheck's search keeps the first smaller case that still fails, and goes on from there.
  rc::shrinkable::findLocalMin(tree, [&](const subject::Case& smaller) {
    if (Clock::now() > end) return false;
    ++failure.tries;
    // A right implementation must pass what is kept: else the case, and not the subject, is at
    // fault.
    const Reply right = textbook.play(smaller);
    if (right.kind != Reply::Kind::answered ||
        judge(smaller, right.answers, textbook_policy, clause.decides).outcome !=
            Judgement::Outcome::pass)
      return false;
    Reply reply = subject.play(smaller);
    if (reply.kind != failure.reply.kind) return false;
    if (failure.fault) {
      Judgement judgement = judge(smaller, reply.answers, policy, clause.decides);
      if (judgement.outcome != Judgement::Outcome::fail || judgement.fault->kind != kind)
        return false;
      failure.fault = std::move(judgement.fault);
    } else {
      failure.reason = reply.text;
    }
    failure.shrunk = smaller;
    if (!failure.shrunk.id.ends_with(kShrunk)) failure.shrunk.id += kShrunk;
    failure.reply = std::move(reply);
    return true;
  });
  subject.stop_at(Clock::time_point::max());
}

}  // namespace ampcheck::properties
