// The p of a norm as PROTOCOL.md writes it: a scalar above 0, or "inf".
#pragma once

#include "subject/json_reader.hpp"
#include "subject/json_writer.hpp"
#include "subject/tensor.hpp"

namespace ampcheck::subject {

void write_norm_order(JsonWriter& out, const Scalar& p);
Scalar read_norm_order(const JsonReader& in);

// The same p, in whatever formats.
bool is_same_norm_order(const Scalar& a, const Scalar& b);

}  // namespace ampcheck::subject
