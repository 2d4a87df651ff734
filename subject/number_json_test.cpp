#include "subject/number_json.hpp"

#include <gtest/gtest.h>

#include "subject/malformed_json.hpp"
#include "subject/names.hpp"
#include "subject/testdata/examples.hpp"

namespace ampcheck::subject {
namespace {

std::string dump(const Tensor& tensor) {
  std::string text;
  JsonWriter out(text);
  write_tensor(out, tensor);
  return text;
}

Tensor tensor_from(std::string_view text) {
  const JsonDocument document(text, "t");
  return read_tensor(JsonReader(document));
}

template <typename Read>
std::string fault_of(Read read, std::string_view text) {
  try {
    const JsonDocument document(text, "t");
    read(JsonReader(document));
  } catch (const MalformedJson& error) {
    return error.what();
  }
  return "none";
}
std::string scalar_fault(std::string_view text) { return fault_of(read_scalar, text); }
std::string tensor_fault(std::string_view text) { return fault_of(read_tensor, text); }

TEST(NumberJson, EveryFormatInBothForms) {
  for (const NumberFormat* format : kFormats)
    for (const std::int64_t elements : {0, 1, 2, 255, 256, 257}) {
      const Tensor tensor = examples::counting(*format, elements);
      const std::string text = dump(tensor);
      EXPECT_EQ(text.find("\"data\"") != std::string::npos, elements >= 256);
      const JsonDocument document(text, "t");
      EXPECT_EQ(read_tensor(JsonReader(document)), tensor);
    }
}

TEST(NumberJson, TheTextOfATensor) {
  EXPECT_EQ(dump(examples::tensor(reference::binary16, {2, 2}, {0x3c00, 1, 0xfc00, 0x8000})),
            R"({"format":"binary16","shape":[2,2],"bits":"3c00 0001 fc00 8000"})");
  EXPECT_EQ(dump(examples::tensor(reference::float8_e5m2, {}, {0x0f})),
            R"({"format":"float8_e5m2","shape":[],"bits":"0f"})");
}

TEST(NumberJson, Base64IsReadAtAnySizeAndLittleEndian) {
  EXPECT_EQ(tensor_from(R"({"format":"binary16","shape":[2],"data":"ADwBAA=="})"),
            examples::tensor(reference::binary16, {2}, {0x3c00, 1}));
}

TEST(NumberJson, FaultsOfAScalar) {
  EXPECT_EQ(scalar_fault(R"({"format":"binary32","bits":"3f80"})"),
            "bits: expected 8 hexadecimal digits for binary32, found \"3f80\"");
  EXPECT_EQ(scalar_fault(R"({"format":"binary32","bits":"3F800000"})"),
            "bits: expected 8 lower-case hexadecimal digits for binary32, found \"3F800000\"");
  EXPECT_EQ(scalar_fault(R"({"format":"binary32","bits":"3f80000g"})"),
            "bits: expected 8 hexadecimal digits for binary32, found \"3f80000g\"");
  EXPECT_EQ(scalar_fault(R"({"format":"binary32","bits":1.0})"),
            "bits: expected a string, found 1.0");
  EXPECT_EQ(
      scalar_fault(R"({"format":"float32","bits":"00"})"),
      "format: expected binary16, bfloat16, binary32, binary64, float8_e4m3fn or float8_e5m2, "
      "found \"float32\"");
  // A format of the reference in which no rule is judged.
  EXPECT_EQ(
      scalar_fault(R"({"format":"tf32","bits":"00000"})"),
      "format: expected binary16, bfloat16, binary32, binary64, float8_e4m3fn or float8_e5m2, "
      "found \"tf32\"");
  EXPECT_EQ(scalar_fault(R"({"bits":"00"})"),
            "(document): expected the field \"format\", found none");
  EXPECT_EQ(scalar_fault("1.5"), "(document): expected a scalar, found 1.5");
}

TEST(NumberJson, FaultsOfATensor) {
  const auto with = [](std::string_view rest) {
    return tensor_fault(R"({"format":"binary16",)" + std::string(rest) + "}");
  };
  EXPECT_EQ(with(R"("shape":[2],"bits":"3c00")"),
            "bits: expected 2 patterns for the shape, found 1");
  EXPECT_EQ(with(R"("shape":[0],"bits":"3c00")"),
            "bits: expected 0 patterns for the shape, found 1");
  EXPECT_EQ(with(R"("shape":[2],"bits":"3c00 3c0")"),
            "bits[1]: expected 4 hexadecimal digits for binary16, found \"3c0\"");
  EXPECT_EQ(with(R"("shape":[3],"bits":"3c00  3c00")"),
            "bits[1]: expected 4 hexadecimal digits for binary16, found \"\"");
  EXPECT_EQ(with(R"("shape":[-1],"bits":"")"),
            "shape[0]: expected an integer of at least 0, found -1");
  EXPECT_EQ(with(R"("shape":[1.0],"bits":"3c00")"),
            "shape[0]: expected an integer of at least 0, found 1.0");
  EXPECT_EQ(with(R"("shape":["4294967296","4294967296",0],"bits":"")"),
            "shape: expected a shape of fewer than 2^63 elements, found "
            "[\"4294967296\",\"4294967296\",0]");
  EXPECT_EQ(with(R"("shape":[4503599627370496],"bits":"3c00")"),
            "bits: expected 4503599627370496 patterns for the shape, found 1");
  EXPECT_EQ(with(R"("shape":[4503599627370496],"data":"")"),
            "data: expected 4503599627370496 patterns of 2 bytes for the shape, found 0 bytes");
  EXPECT_EQ(with(R"("shape":[9007199254740993],"bits":"")"),
            "shape[0]: expected an integer of at least 0 (beyond 2^53: as a string), found "
            "9007199254740993");
  EXPECT_EQ(with(R"("shape":[1],"data":"AD")"),
            "data: expected base64 with its padding, found \"AD\"");
  EXPECT_EQ(with(R"("shape":[1],"data":"AAAA")"),
            "data: expected 1 patterns of 2 bytes for the shape, found 3 bytes");
  EXPECT_EQ(with(R"("shape":[1])"),
            "(document): expected either \"bits\" or \"data\", found neither");
  EXPECT_EQ(with(R"("shape":[1],"bits":"3c00","data":"ADw=")"),
            "(document): expected either \"bits\" or \"data\", found both");
  EXPECT_EQ(with(R"("shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1])"),
            "shape: expected at most 32 dimensions, found an array of 33");
}

}  // namespace
}  // namespace ampcheck::subject
