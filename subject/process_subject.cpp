#include "subject/process_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "subject/answer_json.hpp"
#include "subject/case_json.hpp"
#include "subject/json_reader.hpp"
#include "subject/json_text.hpp"
#include "subject/malformed_json.hpp"
#include "subject/process_session.hpp"

namespace ampcheck::subject {
namespace {

using Clock = ChildProcess::Clock;
using Event = ChildProcess::Event;
using std::chrono::milliseconds;

constexpr std::string_view kStop = R"({"stop":{}})";

}  // namespace

// One play().
class ProcessSubject::Play {
 public:
  Play(ProcessSession& session, const Source& next, const Sink& deliver)
      : session_(session), next_(next), deliver_(deliver) {}

  // Where a sink threw, cases are still in flight, and their answers must not meet the next play.
  ~Play() {
    if (!in_flight_.empty()) session_.child = nullptr;
  }

  void run() {
    while (offer()) wait();
  }

 private:
  struct Answered {
    const Case* one;
    Reply reply;
  };

  bool offer();
  void fill();
  const Case* draw();
  bool is_busy(const std::string& id) const;
  bool send(const Case& one);
  void wait();
  bool hear(std::string_view line);
  bool refuse(std::string reason);
  void fall(Reply::Kind kind, std::string text);
  void settle();
  void deliver_all_but(std::size_t count);
  std::string hopeless() const;
  void lose_the_rest(const std::string& reason);

  ProcessSession& session_;
  const Source& next_;
  const Sink& deliver_;

  std::vector<const Case*> in_flight_;  // the oldest first
  std::deque<const Case*> alone_;       // suspects of a fall, to be played one at a time
  std::deque<const Case*> again_;       // to be played again as if they had just been drawn
  const Case* waiting_ = nullptr;       // drawn, but a case of the same id is in flight
  // What came in. The last is held back until the next line: that may be the same answer once more.
  std::deque<Answered> answered_;

  Clock::time_point clock_start_;
  bool clock_pending_ =
      false;  // a case was sent with nothing before it: its clock starts when we wait
  int falls_in_a_row_ = 0;
  std::string last_fall_;
  bool unexplained_ = false;  // nobody has been found guilty of it
  std::string bad_line_;
};

// Sends what there is room for. False: there is nothing left.
bool ProcessSubject::Play::offer() {
  for (;;) {
    if (const std::string reason = hopeless(); !reason.empty()) {
      deliver_all_but(0);
      lose_the_rest(reason);
      return false;
    }
    fill();
    if (!in_flight_.empty()) return true;
    if (!answered_.empty())
      settle();  // a delivery may give the source new cases, and free the id that a case waits for
    else if (hopeless().empty())
      return false;
  }
}

void ProcessSubject::Play::fill() {
  if (!alone_.empty()) {
    if (in_flight_.empty()) send(*alone_.front());
    return;
  }
  // Many at once, when half of them are done: a write and a wakeup a case would be half of its
  // cost.
  if (in_flight_.size() > session_.options.in_flight / 2) return;
  while (in_flight_.size() < session_.options.in_flight) {
    const Case* one = draw();
    if (one == nullptr) return;
    if (send(*one)) continue;
    again_.push_front(one);
    return;
  }
}

const Case* ProcessSubject::Play::draw() {
  if (waiting_ == nullptr) {
    if (again_.empty()) {
      waiting_ = next_();
    } else {
      waiting_ = again_.front();
      again_.pop_front();
    }
  }
  if (waiting_ == nullptr || is_busy(waiting_->id)) return nullptr;
  return std::exchange(waiting_, nullptr);
}

bool ProcessSubject::Play::is_busy(const std::string& id) const {
  return std::ranges::any_of(in_flight_, [&](const Case* one) { return one->id == id; }) ||
         std::ranges::any_of(answered_, [&](const Answered& held) { return held.one->id == id; });
}

// False where there is nobody to send to, and there will be none.
bool ProcessSubject::Play::send(const Case& one) {
  if (session_.child == nullptr && !session_.start_again()) return false;
  std::string line = "{\"run\":";
  append_case(line, one);
  line += '}';
  clock_pending_ = clock_pending_ || in_flight_.empty();
  in_flight_.push_back(&one);
  session_.send(line);
  return true;
}

void ProcessSubject::Play::wait() {
  if (std::exchange(clock_pending_, false)) clock_start_ = Clock::now();
  const milliseconds time = session_.case_time();
  const Clock::time_point limit = clock_start_ + time;
  const auto on_line = [this](std::string_view line) { return hear(line); };
  switch (session_.child->pump(std::min(limit, session_.stop_at), on_line)) {
    case Event::lines:
      deliver_all_but(1);
      break;
    case Event::refused:
      fall(Reply::Kind::nonsense, bad_line_);
      break;
    case Event::ended:
      fall(Reply::Kind::crashed, "");
      break;
    case Event::timed_out:
      if (Clock::now() >= limit)
        fall(Reply::Kind::timed_out, fmt::format("no answer within {}", in_seconds(time)));
      break;
    case Event::flooded:
      fall(Reply::Kind::flooded,
           fmt::format("a line of more than {} bytes", session_.options.longest_line));
      break;
  }
}

bool ProcessSubject::Play::refuse(std::string reason) {
  bad_line_ = std::move(reason);
  return false;
}

// One line of the subject. False: nothing more in this stream can be trusted.
bool ProcessSubject::Play::hear(std::string_view line) {
  std::optional<JsonDocument> message;
  std::string_view name;
  try {
    message.emplace(line, "its line");
    name = JsonReader(*message).field("case").text();
  } catch (const MalformedJson& error) {
    return refuse(fmt::format("{}: {}", error.what(), text_in_short(line)));
  }
  const auto found =
      std::ranges::find_if(in_flight_, [&](const Case* one) { return one->id == name; });
  if (found == in_flight_.end()) {
    for (Answered& held : answered_)
      if (held.one->id == name)
        held.reply = {Reply::Kind::nonsense, "it was answered twice", "", {}};
    return refuse("an answer to a case that is not in flight: " + text_in_short(name));
  }
  session_.record("ampcheck", line);
  const Case& one = **found;
  Reply reply;
  try {
    reply = read_reply(JsonReader(*message), one);
  } catch (const MalformedJson& error) {
    // The line tells whose it is, so only that case pays for it.
    reply = {Reply::Kind::nonsense, error.what(), "", {}};
  }
  if (reply.kind != Reply::Kind::answered) reply.stderr_tail = session_.child->stderr_tail();
  answered_.push_back({&one, std::move(reply)});
  in_flight_.erase(found);
  clock_start_ = Clock::now();
  falls_in_a_row_ = 0;
  ++session_.answered_by_child;
  if (!alone_.empty()) {
    alone_.pop_front();
    if (alone_.empty() && std::exchange(unexplained_, false))
      session_.incidents.unexplained.push_back(last_fall_);
  }
  return true;
}

void ProcessSubject::Play::fall(Reply::Kind kind, std::string text) {
  const bool crashed = kind == Reply::Kind::crashed;
  const std::string ending = session_.child->finish(crashed ? kLastBreath : milliseconds(0));
  if (crashed) text = ending;
  std::string tail(session_.child->stderr_tail());
  const bool was_fresh = session_.answered_by_child == 0;
  session_.child = nullptr;
  ++falls_in_a_row_;
  last_fall_ = text;
  const std::vector<const Case*> suspects = std::exchange(in_flight_, {});
  deliver_all_but(0);
  if (suspects.empty()) {
    session_.incidents.unexplained.push_back(text);
  } else if (suspects.size() > 1 || !was_fresh) {
    // Also a single one is only suspected where the process had played others: they may have broken
    // it, or it ended before it saw this one.
    unexplained_ = true;
    if (alone_.empty()) alone_.assign(suspects.begin(), suspects.end());
  } else {
    if (!alone_.empty()) alone_.pop_front();
    again_.insert(again_.begin(), alone_.begin(), alone_.end());
    alone_.clear();
    unexplained_ = false;
    deliver_(*suspects.front(), {kind, std::move(text), std::move(tail), {}});
  }
}

// With nothing in flight: delivers everything, the last answer after a look whether it comes twice.
void ProcessSubject::Play::settle() {
  const auto on_line = [this](std::string_view line) { return hear(line); };
  switch (session_.child->pump(Clock::now(), on_line)) {
    case Event::timed_out:
    case Event::lines:
      break;
    case Event::refused:
      fall(Reply::Kind::nonsense, bad_line_);
      break;
    case Event::ended:
      fall(Reply::Kind::crashed, "");
      break;
    case Event::flooded:
      fall(Reply::Kind::flooded, "a line that nobody asked for");
      break;
  }
  deliver_all_but(0);
}

void ProcessSubject::Play::deliver_all_but(std::size_t count) {
  while (answered_.size() > count) {
    Answered answered = std::move(answered_.front());
    answered_.pop_front();
    deliver_(*answered.one, std::move(answered.reply));
  }
}

// Why nothing more can be played; empty where it can.
std::string ProcessSubject::Play::hopeless() const {
  if (!session_.lost.empty()) return session_.lost;
  if (Clock::now() >= session_.stop_at) return "the time was up before it answered";
  if (falls_in_a_row_ < session_.options.falls_in_a_row) return "";
  return fmt::format("it fell {} times in a row without an answer, at last: {}", falls_in_a_row_,
                     last_fall_);
}

void ProcessSubject::Play::lose_the_rest(const std::string& reason) {
  const auto lose = [&](const Case& one) { deliver_(one, {Reply::Kind::lost, reason, "", {}}); };
  if (!in_flight_.empty()) session_.child = nullptr;
  for (const Case* one : std::exchange(in_flight_, {}))
    if (alone_.empty()) lose(*one);
  for (std::deque<const Case*>* queue : {&alone_, &again_})
    for (; !queue->empty(); queue->pop_front()) lose(*queue->front());
  if (waiting_ != nullptr) lose(*std::exchange(waiting_, nullptr));
  while (const Case* one = next_()) lose(*one);
}

ProcessSubject::ProcessSubject(Command command, ProcessOptions options)
    : session_(std::make_unique<ProcessSession>()) {
  session_->command = std::move(command);
  session_->options = std::move(options);
  if (!session_->options.recorder.empty()) {
    session_->recorder.open(session_->options.recorder, std::ios::app);
    if (!session_->recorder)
      throw DidNotStart(
          fmt::format("the record {} cannot be written", session_->options.recorder.string()));
  }
  if (const std::string fault = session_->start(); !fault.empty()) throw DidNotStart(fault);
}

ProcessSubject::~ProcessSubject() {
  if (session_->child == nullptr) return;
  session_->send(kStop);
  session_->child->finish(session_->options.stop_time);
}

const Hello& ProcessSubject::hello() const { return session_->hello; }

void ProcessSubject::stop_at(Clock::time_point time) { session_->stop_at = time; }

const Incidents& ProcessSubject::incidents() const { return session_->incidents; }

void ProcessSubject::play(const Source& next, const Sink& deliver) {
  Play(*session_, next, deliver).run();
}

}  // namespace ampcheck::subject
