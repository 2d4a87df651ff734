#include "conformance/advice.hpp"

#include "properties/catalogue.hpp"

namespace ampcheck::conformance {

void soften(properties::ClauseReport& report) {
  if (report.verdict == properties::Verdict::fail && properties::is_should(report.clause->id))
    report.verdict = properties::Verdict::advice;
}

}  // namespace ampcheck::conformance
