// Any text is either refused with MalformedJson, or a case that survives being written and read
// again.
#include <cstdlib>

#include "fuzz/target.hpp"
#include "subject/case_json.hpp"
#include "subject/malformed_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ampcheck::subject;
  try {
    const Case read = parse_case({reinterpret_cast<const char*>(data), size});
    const std::string text = dump_case(read);
    const Case again = parse_case(text);
    if (again != read || dump_case(again) != text) std::abort();
  } catch (const MalformedJson& error) {
    if (std::string_view(error.what()).size() > 2000) std::abort();  // errors are for people
  }
  return 0;
}
