// Cases that tell words of the policy apart, and what a subject made of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "subject/case.hpp"
#include "subject/subject.hpp"

namespace ampcheck::properties::identify {

struct Experiment {
  std::string name;                     // what is done, in words
  std::vector<std::string_view> tells;  // the axes that it is made for
  subject::Case played;
  unsigned decides = 0;  // properties::Decides: what is looked at
};

struct Trial {
  Experiment experiment;
  std::vector<subject::Answer> answers;  // none where it was not answered
  std::string why_silent;                // then: why
  bool is_applicable = true;             // false: the hello says that such a case cannot be asked
};

// Plays experiments, each once.
class Bench {
 public:
  explicit Bench(subject::Subject& subject) : subject_(subject) {}

  std::vector<Trial> play(std::vector<Experiment>);
  const subject::Hello& hello() const { return subject_.hello(); }
  std::int64_t cases() const { return cases_; }

 private:
  subject::Subject& subject_;
  std::int64_t cases_ = 0;
};

}  // namespace ampcheck::properties::identify
