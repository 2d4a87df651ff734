// Compares the answers to a case with what the reference admits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/policy.hpp"
#include "subject/case.hpp"
#include "subject/observations.hpp"

namespace ampcheck::properties {

class Coverage;

// Where an answer leaves the rules.
struct Fault {
  std::string kind;         // what is wrong, in a fixed word or two: shrinking keeps it
  std::size_t step = 0;     // index of the step
  std::string observation;  // name of the observation, empty where the step itself is at fault
  std::size_t rank = 0;
  std::size_t element = 0;
  std::string expected;  // admissible set, in bits and hex floats
  std::string actual;
  std::string detail;  // ulps from the set, position, the derivation
};

struct Judgement {
  enum class Outcome {
    pass,
    fail,
    not_judged,   // a deciding observation was null or of unknown unit, or none was asked for
    unsupported,  // the subject did not offer a step, and had not said so before
    empty,        // all that would decide was in micro-batches that the policy drops
    malformed,    // the answers do not have the form of the protocol
  };
  Outcome outcome = Outcome::not_judged;
  std::optional<Fault> fault;  // of fail
  std::string reason;          // of not_judged, unsupported, malformed
  std::int64_t patterns = 0;   // deciding patterns that were compared
  std::int64_t single = 0;     // those of them whose admissible set was one pattern
};

// `decides` is a union of properties::Decides. The case must be well formed (check_case,
// session.hpp). With `coverage` it counts what the case rounds, up to a fault.
Judgement judge(const subject::Case&, const std::vector<subject::Answer>&, const reference::Policy&,
                unsigned decides, Coverage* coverage = nullptr);

}  // namespace ampcheck::properties
