#include "properties/identify/experiment.hpp"

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "properties/answer_form.hpp"
#include "properties/applicability.hpp"

namespace ampcheck::properties::identify {
namespace {

using subject::Case;
using subject::Reply;

const char* what_happened(Reply::Kind kind) {
  switch (kind) {
    case Reply::Kind::answered:
      return "";
    case Reply::Kind::error:
      return "the subject failed: ";
    case Reply::Kind::crashed:
    case Reply::Kind::flooded:
      return "the subject fell: ";
    case Reply::Kind::timed_out:
      return "no answer in time: ";
    case Reply::Kind::nonsense:
      return "no answer of the protocol: ";
    case Reply::Kind::lost:
      return "never played: ";
  }
  return "";
}

}  // namespace

std::vector<Trial> Bench::play(std::vector<Experiment> experiments) {
  std::vector<Trial> trials;
  for (Experiment& experiment : experiments) trials.push_back({std::move(experiment), {}, {}});
  std::vector<std::size_t> order;
  std::unordered_map<const Case*, std::size_t> index_of;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    Case& played = trials[i].experiment.played;
    trials[i].why_silent = inapplicable(played, hello());
    trials[i].is_applicable = trials[i].why_silent.empty();
    if (!trials[i].is_applicable) continue;
    played.id = "identify-" + std::to_string(++cases_);
    played.clause = "identify/" + std::string(trials[i].experiment.tells.front());
    index_of[&played] = i;
    order.push_back(i);
  }
  std::size_t next = 0;
  subject_.play(
      [&]() -> const Case* {
        return next == order.size() ? nullptr : &trials[order[next++]].experiment.played;
      },
      [&](const Case& played, Reply reply) {
        Trial& trial = trials[index_of.at(&played)];
        if (reply.kind != Reply::Kind::answered) {
          trial.why_silent = what_happened(reply.kind) + reply.text;
          return;
        }
        trial.why_silent = form_fault(played, reply.answers);
        if (trial.why_silent.empty()) trial.answers = std::move(reply.answers);
      });
  return trials;
}

}  // namespace ampcheck::properties::identify
