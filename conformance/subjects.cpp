#include "conformance/subjects.hpp"

#include <fstream>

#include "conformance/exit_code.hpp"
#include "properties/applicability.hpp"
#include "properties/built_in.hpp"
#include "subject/adapters.hpp"
#include "subject/in_process.hpp"
#include "subject/process_subject.hpp"

namespace ampcheck::conformance {
namespace {

std::unique_ptr<subject::Subject> start(subject::Command command, const SubjectOptions& options) {
  subject::ProcessOptions process;
  process.recorder = options.recorder;
  if (!options.recorder.empty() && !std::ofstream(options.recorder, std::ios::app))
    throw Exit(kUsage, options.recorder.string() + ": cannot be written");
  try {
    return std::make_unique<subject::ProcessSubject>(std::move(command), process);
  } catch (const subject::DidNotStart& error) {
    throw Exit(kSubjectDidNotStart, std::string("the subject did not start: ") + error.what());
  }
}

std::unique_ptr<subject::Subject> open(const std::string& name, const SubjectOptions& options) {
  if (name == "textbook")
    return std::make_unique<subject::InProcess>(subject::textbook_in_process());
  if (const properties::BuiltIn* built_in = properties::find_built_in(name))
    return std::make_unique<subject::InProcess>(built_in->hello(), built_in->make);
  if (name.starts_with("process:")) {
    if (name.size() == 8)
      throw Exit(kUsage, "process: wants a command, as in process:\"python3 mine.py\"");
    return start(subject::Command::shell(name.substr(8)), options);
  }
  if (name == "device:gpu")
    throw Exit(kDeviceAbsent,
               "device:gpu: this build has no GPU kernels, and no GPU was looked for");
  if (subject::is_adapter(name)) {
    try {
      return start(subject::adapter_command(name, subject::checkout_folder(), options.python),
                   options);
    } catch (const subject::NoInterpreter& error) {
      throw Exit(kSubjectDidNotStart, error.what());
    }
  }
  throw Exit(kUsage, "unknown subject \"" + name + "\"; known: " + known_subjects());
}

}  // namespace

std::string known_subjects() {
  std::string text = "textbook, mutant:NAME, control:NAME, process:COMMAND, device:gpu";
  for (const subject::Adapter& adapter : subject::adapters())
    text += ", " + std::string(adapter.name);
  return text + " (`ampcheck list --subjects` names them all)";
}

std::unique_ptr<subject::Subject> open_subject(const std::string& name,
                                               const SubjectOptions& options) {
  std::unique_ptr<subject::Subject> subject = open(name, options);
  const std::string problem = properties::hello_problem(subject->hello());
  if (!problem.empty()) throw Exit(kSubjectDidNotStart, name + ": " + problem);
  return subject;
}

}  // namespace ampcheck::conformance
