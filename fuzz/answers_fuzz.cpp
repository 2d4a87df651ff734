// Any answers to a case that asks for everything are refused with MalformedJson, or survive a round
// trip.
#include <cstdlib>
#include <string>

#include "fuzz/target.hpp"
#include "subject/answer_json.hpp"
#include "subject/malformed_json.hpp"
#include "subject/testdata/examples.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ampcheck::subject;
  static const Case one = examples::every_step();
  try {
    const auto read = parse_answers({reinterpret_cast<const char*>(data), size}, one);
    const std::string text = dump_answers(one, read);
    if (parse_answers(text, one) != read) std::abort();
  } catch (const MalformedJson& error) {
    if (std::string_view(error.what()).size() > 2000) std::abort();
  }
  return 0;
}
