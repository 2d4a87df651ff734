#include <iostream>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/subjects.hpp"
#include "subject/answer_json.hpp"
#include "subject/case_json.hpp"
#include "subject/hello_json.hpp"
#include "subject/json_reader.hpp"
#include "subject/json_text.hpp"
#include "subject/malformed_json.hpp"

namespace ampcheck::conformance {

int serve_command(const ServeOptions& options) {
  if (options.subject.starts_with("process:"))
    throw Exit(kUsage, "serve " + options.subject + ": it is a process already");
  const std::unique_ptr<subject::Subject> served = open_subject(options.subject, {});
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    try {
      const subject::JsonDocument document(line, "message");
      const subject::JsonReader message(document);
      message.expect_object("a message");
      if (message.find("hello")) {
        std::cout << "{\"hello\":" << subject::dump_hello(served->hello()) << "}\n" << std::flush;
      } else if (const auto run = message.find("run")) {
        const subject::Case one = subject::read_case(*run);
        std::cout << subject::dump_reply(one, served->play(one)) << '\n' << std::flush;
      } else if (message.find("stop")) {
        return kConforms;
      }
    } catch (const subject::MalformedJson& error) {
      throw Exit(kUsage, error.what());
    }
  }
  return kConforms;
}

}  // namespace ampcheck::conformance
