#include "properties/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ampcheck::properties {

std::set<std::string> random_observations(const subject::Case& one,
                                          const reference::Policy& policy) {
  std::set<std::string> names;
  if (policy.copy_rounding != reference::CopyRounding::stochastic) return names;
  for (const subject::Step& step : one.steps)
    if (const auto* made = std::get_if<subject::MakeOptimizer>(&step.action);
        made != nullptr && made->master_weights)
      for (const subject::Parameter& p : made->parameters) names.insert("parameter/" + p.name);
  return names;
}

bool is_same(const subject::Reply& a, const subject::Reply& b,
             const std::set<std::string>& random) {
  const auto same = [&](const subject::Answer& x, const subject::Answer& y) {
    return x.kind == y.kind && x.with == y.with &&
           std::ranges::equal(x.observed, y.observed, [&](const auto& one, const auto& other) {
             return one.first == other.first &&
                    (one.second == other.second || random.contains(one.first));
           });
  };
  return a.kind == b.kind && std::ranges::equal(a.answers, b.answers, same);
}

std::string Repetition::to_string() const {
  if (different == 0)
    return fmt::format("alone, {} times: one answer, so that it hangs on the cases before", times);
  return fmt::format(
      "alone, {} times: {} answers unlike the most frequent one, {} that break the clause", times,
      different, failing);
}

Repetition repeat(subject::Subject& subject, const subject::Case& one,
                  const std::set<std::string>& random,
                  const std::function<bool(const subject::Reply&)>& breaks_the_clause) {
  struct Seen {
    subject::Reply reply;
    std::int64_t times;
  };
  std::vector<Seen> all;
  Repetition result;
  for (; result.times < kRepetitions; ++result.times) {
    subject::Reply reply = subject.play(one);
    result.failing += breaks_the_clause(reply) ? 1 : 0;
    const auto same = std::ranges::find_if(
        all, [&](const Seen& seen) { return is_same(seen.reply, reply, random); });
    if (same == all.end())
      all.push_back({std::move(reply), 1});
    else
      ++same->times;
  }
  const auto most = std::ranges::max_element(all, {}, &Seen::times);
  result.different = result.times - most->times;
  return result;
}

}  // namespace ampcheck::properties
