// The reference's conversions for programs in other languages, such as ml_dtypes_witness.py.
//
//     converted values FORMAT     the number of every pattern, one a line, as a hex float
//     converted numbers FORMAT    patterns of binary32 on standard input, 4 bytes each, in the
//                                 machine's order; the converted pattern of each on standard
//                                 output, ffffffff where the reference refuses
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "reference/rounding.hpp"

namespace {

using namespace ampcheck::reference;

std::uint32_t converted(std::uint32_t bits, const NumberFormat& to) {
  try {
    return static_cast<std::uint32_t>(convert({&binary32, bits}, to));
  } catch (const NotRepresentable&) {
    return 0xffffffff;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const NumberFormat* format = argc == 3 ? find_number_format(argv[2]) : nullptr;
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (format == nullptr || format->width > 32 || (what != "values" && what != "numbers")) {
    std::fputs("usage: converted values|numbers FORMAT\n", stderr);
    return 2;
  }
  if (what == "values") {
    for (std::uint64_t bits = 0; bits >> format->width == 0; ++bits)
      std::puts(to_hex_float(bits, *format).c_str());
    return 0;
  }
  std::vector<std::uint32_t> block(1 << 16);
  while (const std::size_t n = std::fread(block.data(), 4, block.size(), stdin)) {
    for (std::size_t i = 0; i < n; ++i) block[i] = converted(block[i], *format);
    std::fwrite(block.data(), 4, n, stdout);
  }
  return 0;
}
