#include "subject/norm_order_json.hpp"

#include "subject/floating_point.hpp"
#include "subject/number_json.hpp"

namespace ampcheck::subject {
namespace {

constexpr std::string_view kInfinity[] = {"inf"};

}  // namespace

void write_norm_order(JsonWriter& out, const Scalar& p) {
  if (p.format->is_infinite(p.bits))
    out.word(kInfinity[0]);
  else
    write_scalar(out, p);
}

Scalar read_norm_order(const JsonReader& in) {
  if (in.type() == JsonNode::Type::string) {
    in.one_of(kInfinity);
    return {&reference::binary32, reference::binary32.infinity()};
  }
  const Scalar p = read_scalar(in);
  if (!p.format->is_finite(p.bits) || !(to_double(p.bits, *p.format) > 0))
    in.fail("a finite number above 0, or \"inf\"");
  return p;
}

bool is_same_norm_order(const Scalar& a, const Scalar& b) {
  return to_double(a.bits, *a.format) == to_double(b.bits, *b.format);
}

}  // namespace ampcheck::subject
