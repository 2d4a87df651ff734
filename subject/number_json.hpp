// Scalars and tensors as PROTOCOL.md §2 writes them.
#pragma once

#include <cstddef>

#include "subject/json_reader.hpp"
#include "subject/json_writer.hpp"
#include "subject/tensor.hpp"

namespace ampcheck::subject {

// From this number of elements up a tensor is written as base64; both forms are read at any size.
inline constexpr std::size_t kBase64From = 256;
inline constexpr std::size_t kMaxDimensions = 32;

void write_scalar(JsonWriter& out, const Scalar& scalar);
void write_tensor(JsonWriter& out, const Tensor& tensor);
// The fields of a tensor alone, for an object that has others.
void write_tensor_fields(JsonWriter& out, const Tensor& tensor);

const NumberFormat& read_format(const JsonReader& in);
Scalar read_scalar(const JsonReader& in);
Tensor read_tensor(const JsonReader& in);

}  // namespace ampcheck::subject
