#include "subject/number_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "subject/base64.hpp"
#include "subject/names.hpp"

namespace ampcheck::subject {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

std::size_t digits_of(const NumberFormat& format) {
  return static_cast<std::size_t>(format.width) / 4;
}
std::size_t bytes_of(const NumberFormat& format) {
  return static_cast<std::size_t>(format.width) / 8;
}

void append_pattern(std::string& out, std::size_t digits, std::uint64_t bits) {
  for (std::size_t i = digits; i-- > 0;) out += kHexDigits[(bits >> (4 * i)) & 15];
}

// -1 where it is no digit, -2 where it is an upper-case one.
constexpr std::array<signed char, 256> kDigitValue = [] {
  std::array<signed char, 256> values{};
  values.fill(-1);
  for (int i = 0; i < 10; ++i)
    values[static_cast<std::size_t>('0' + i)] = static_cast<signed char>(i);
  for (int i = 0; i < 6; ++i) {
    values[static_cast<std::size_t>('a' + i)] = static_cast<signed char>(10 + i);
    values[static_cast<std::size_t>('A' + i)] = -2;
  }
  return values;
}();

// A pattern, or a negative value of kDigitValue.
struct Pattern {
  std::uint64_t bits = 0;
  int fault = 0;
};

Pattern read_pattern(std::string_view text, std::size_t digits) {
  Pattern pattern;
  if (text.size() != digits) pattern.fault = -1;
  for (const char c : text) {
    const int value = kDigitValue[static_cast<unsigned char>(c)];
    if (value < 0) return {0, value};
    pattern.bits = pattern.bits << 4 | static_cast<std::uint64_t>(value);
  }
  return pattern;
}

std::string wanted_digits(const NumberFormat& format, int fault) {
  return fmt::format("{} {}hexadecimal digits for {}", digits_of(format),
                     fault == -2 ? "lower-case " : "", format.name);
}

// The number of elements of a shape.
std::size_t read_shape(const JsonReader& in, std::vector<std::int64_t>& shape) {
  const std::size_t rank = in.size();
  if (rank > kMaxDimensions) in.fail(fmt::format("at most {} dimensions", kMaxDimensions));
  // Zero dimensions last: [2^40, 2^40, 0] overflows although it has no elements.
  std::int64_t elements = 1;
  bool empty = false;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t extent = in.element(i).integer(0);
    shape.push_back(extent);
    empty = empty || extent == 0;
    if (extent != 0 && __builtin_mul_overflow(elements, extent, &elements))
      in.fail("a shape of fewer than 2^63 elements", in.source().substr(0, 60));
  }
  return empty ? 0 : static_cast<std::size_t>(elements);
}

void read_bits(const JsonReader& in, std::size_t elements, Tensor& tensor) {
  const std::string_view text = in.text();
  const NumberFormat& format = *tensor.format;
  // Counted first, so that a shape never allocates for patterns that are not there.
  const std::size_t count =
      text.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
  if (count != elements)
    in.fail(fmt::format("{} patterns for the shape", elements), fmt::format("{}", count));
  tensor.bits.reserve(count);
  std::size_t start = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    const Pattern pattern = read_pattern(word, digits_of(format));
    if (pattern.fault != 0)
      in.fail_inside(i, wanted_digits(format, pattern.fault), text_in_short(word));
    tensor.bits.push_back(pattern.bits);
    start = end + 1;
  }
}

void read_data(const JsonReader& in, std::size_t elements, Tensor& tensor) {
  const std::optional<std::string> bytes = decode_base64(in.text());
  if (!bytes) in.fail("base64 with its padding");
  const std::size_t width = bytes_of(*tensor.format);
  if (bytes->size() % width != 0 || bytes->size() / width != elements)
    in.fail(fmt::format("{} patterns of {} bytes for the shape", elements, width),
            fmt::format("{} bytes", bytes->size()));
  tensor.bits.reserve(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    std::uint64_t bits = 0;
    for (std::size_t k = width; k-- > 0;)
      bits = bits << 8 | static_cast<unsigned char>((*bytes)[i * width + k]);
    tensor.bits.push_back(bits);
  }
}

}  // namespace

void write_scalar(JsonWriter& out, const Scalar& scalar) {
  std::string& text = out.raw();
  text += "{\"format\":\"";
  text += scalar.format->name;
  text += "\",\"bits\":\"";
  append_pattern(text, digits_of(*scalar.format), scalar.bits);
  text += "\"}";
}

void write_tensor(JsonWriter& out, const Tensor& tensor) {
  out.begin_object();
  write_tensor_fields(out, tensor);
  out.end_object();
}

void write_tensor_fields(JsonWriter& out, const Tensor& tensor) {
  out.key("format").word(tensor.format->name).key("shape").begin_array();
  for (const std::int64_t extent : tensor.shape) out.integer(extent);
  out.end_array();
  if (tensor.bits.size() < kBase64From) {
    std::string& text = out.key("bits").raw();
    text += '"';
    const std::size_t digits = digits_of(*tensor.format);
    for (std::size_t i = 0; i < tensor.bits.size(); ++i) {
      if (i > 0) text += ' ';
      append_pattern(text, digits, tensor.bits[i]);
    }
    text += '"';
    return;
  }
  std::string bytes;
  bytes.reserve(tensor.bits.size() * bytes_of(*tensor.format));
  for (const std::uint64_t bits : tensor.bits)
    for (std::size_t k = 0; k < bytes_of(*tensor.format); ++k)
      bytes += static_cast<char>(bits >> (8 * k) & 255);
  out.key("data").word(encode_base64(bytes));
}

const NumberFormat& read_format(const JsonReader& in) {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const NumberFormat* format : kFormats) names.push_back(format->name);
    return names;
  }();
  return *kFormats[in.one_of(kNames)];
}

Scalar read_scalar(const JsonReader& in) {
  in.expect_object("a scalar");
  const NumberFormat& format = read_format(in.field("format"));
  const JsonReader bits = in.field("bits");
  const Pattern pattern = read_pattern(bits.text(), digits_of(format));
  if (pattern.fault != 0) bits.fail(wanted_digits(format, pattern.fault));
  return {&format, pattern.bits};
}

Tensor read_tensor(const JsonReader& in) {
  in.expect_object("a tensor");
  Tensor tensor;
  tensor.format = &read_format(in.field("format"));
  const std::size_t elements = read_shape(in.field("shape"), tensor.shape);
  const std::optional<JsonReader> bits = in.find("bits"), data = in.find("data");
  if (bits.has_value() == data.has_value())
    in.fail("either \"bits\" or \"data\"", bits ? "both" : "neither");
  if (bits)
    read_bits(*bits, elements, tensor);
  else
    read_data(*data, elements, tensor);
  return tensor;
}

}  // namespace ampcheck::subject
