// Any hello is refused with MalformedJson, or survives a round trip.
#include <cstdlib>
#include <string>

#include "fuzz/target.hpp"
#include "subject/hello_json.hpp"
#include "subject/malformed_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ampcheck::subject;
  try {
    const Hello read = parse_hello({reinterpret_cast<const char*>(data), size});
    const std::string text = dump_hello(read);
    if (dump_hello(parse_hello(text)) != text) std::abort();
  } catch (const MalformedJson& error) {
    if (std::string_view(error.what()).size() > 2000) std::abort();
  }
  return 0;
}
