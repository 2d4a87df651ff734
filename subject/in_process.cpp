#include "subject/in_process.hpp"

#include <exception>

namespace ampcheck::subject {

void InProcess::play(const Source& next, const Sink& deliver) {
  while (const Case* one = next()) {
    Reply reply;
    try {
      const std::unique_ptr<Textbook> session = make_();
      for (const Step& step : one->steps) reply.answers.push_back(session->play(step, one->ranks));
    } catch (const std::exception& error) {
      reply.kind = Reply::Kind::error;
      reply.text = error.what();
    }
    deliver(*one, std::move(reply));
  }
}

InProcess textbook_in_process() {
  return {Textbook::hello(), [] { return std::make_unique<Textbook>(); }};
}

}  // namespace ampcheck::subject
