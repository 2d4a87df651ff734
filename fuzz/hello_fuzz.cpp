// Any hello is refused with MalformedJson, or survives a round trip.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "fuzz/target.hpp"
#include "subject/hello_json.hpp"
#include "subject/json_text.hpp"
#include "subject/malformed_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ampcheck::subject;
  try {
    const Hello read =
        parse_hello(parse_document({reinterpret_cast<const char*>(data), size}, "hello"));
    const std::string text = dump_hello(read);
    if (dump_hello(parse_hello(parse_document(text, "again"))) != text) std::abort();
  } catch (const MalformedJson& error) {
    if (std::string_view(error.what()).size() > 2000) std::abort();
  }
  return 0;
}
