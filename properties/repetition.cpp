#include "properties/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ampcheck::properties {

bool is_same(const subject::Reply& a, const subject::Reply& b) {
  const auto same = [](const subject::Answer& x, const subject::Answer& y) {
    return x.kind == y.kind && x.with == y.with && x.observed == y.observed;
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
    const auto same =
        std::ranges::find_if(all, [&](const Seen& seen) { return is_same(seen.reply, reply); });
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
