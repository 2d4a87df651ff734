#include "subject/process_session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "subject/hello_json.hpp"
#include "subject/json_reader.hpp"
#include "subject/json_text.hpp"
#include "subject/malformed_json.hpp"

namespace ampcheck::subject {
namespace {

using Clock = ChildProcess::Clock;
using Event = ChildProcess::Event;
using std::chrono::milliseconds;

constexpr std::string_view kHello = R"({"hello":{"protocol":1}})";

// The last lines of what it wrote to standard error, indented; empty where there are none.
std::string last_lines(std::string_view text, int count = 10) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t start = text.size();
  for (int i = 0; i < count && start > 0; ++i) {
    const std::size_t end = text.rfind('\n', start - 1);
    start = end == std::string_view::npos ? 0 : end;
  }
  if (start < text.size() && text[start] == '\n') ++start;
  std::string lines;
  for (const char c : text.substr(start)) {
    if (lines.empty() || lines.back() == '\n') lines += "  ";
    lines += c;
  }
  return lines;
}

}  // namespace

std::string in_seconds(milliseconds time) {
  return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

void ProcessSession::record(std::string_view to, std::string_view message) {
  if (!recorder.is_open()) return;
  recorder << "{\"to\":\"" << to << "\",\"message\":" << message << "}\n" << std::flush;
  if (!recorder)
    throw CannotRecord(fmt::format("{}: cannot be written", options.recorder.string()));
}

void ProcessSession::send(std::string_view line) {
  record("subject", line);
  child->send(line);
}

milliseconds ProcessSession::case_time() const {
  return hello.case_seconds ? milliseconds(*hello.case_seconds * 1000) : options.case_time;
}

std::string ProcessSession::start() {
  answered_by_child = 0;
  try {
    child = std::make_unique<ChildProcess>(command, options.longest_line);
  } catch (const CannotStart& error) {
    return fmt::format("cannot be run: {}", error.what());
  }
  send(kHello);
  int lines = 0;
  std::string fault;
  const auto hear = [&](std::string_view line) {
    if (++lines > 1) {
      fault = "a line after its hello that nobody asked for: " + text_in_short(line);
      return false;
    }
    try {
      const JsonDocument message(line, "its hello");
      Hello now = read_hello(JsonReader(message).field("hello"));
      const std::string text = dump_hello(now);
      if (!hello_text.empty() && text != hello_text) {
        fault = "started again, it sent another hello";
        return false;
      }
      hello_text = text;
      hello = std::move(now);
      record("ampcheck", line);
    } catch (const MalformedJson& error) {
      fault = fmt::format("its hello is malformed: {}\n  {}", error.what(), text_in_short(line));
      return false;
    }
    return true;
  };
  switch (child->pump(std::min(Clock::now() + options.hello_time, stop_at), hear)) {
    case Event::lines:
      return "";
    case Event::refused:
      break;
    case Event::ended:
      fault = fmt::format("{} before its hello", child->finish(kLastBreath));
      break;
    case Event::timed_out:
      fault = fmt::format("no hello within {}", in_seconds(options.hello_time));
      break;
    case Event::flooded:
      fault = fmt::format("instead of a hello a line of more than {} bytes", options.longest_line);
      break;
  }
  child->finish(milliseconds(0));
  if (const std::string lines_of_it = last_lines(child->stderr_tail()); !lines_of_it.empty())
    fault += "\nits standard error ends with:\n" + lines_of_it;
  child = nullptr;
  return fault;
}

bool ProcessSession::start_again() {
  std::string fault;
  for (int i = 0; i < options.failed_starts; ++i) {
    ++incidents.restarts;
    fault = start();
    if (fault.empty()) return true;
    if (Clock::now() >= stop_at) return false;  // it may still start another time
  }
  lost = fmt::format("it could not be started again, {} times in a row: {}", options.failed_starts,
                     fault);
  return false;
}

}  // namespace ampcheck::subject
