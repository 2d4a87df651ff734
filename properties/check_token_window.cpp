#include "properties/check_token_window.hpp"

#include <algorithm>
#include <string>

#include "reference/bad_session.hpp"
#include "reference/rounding.hpp"

namespace ampcheck::properties {
namespace {

using namespace subject;
using reference::BadSession;

void check_weights(const Tensor& weights) {
  BadSession::unless(*weights.format == reference::binary32, "class_weights.format", "binary32",
                     std::string(weights.format->name));
  BadSession::unless(weights.shape.size() == 1, "class_weights.shape", "one dimension",
                     std::to_string(weights.shape.size()));
  for (const std::uint64_t bits : weights.bits)
    BadSession::unless(reference::binary32.is_finite(bits) && !reference::binary32.is_zero(bits) &&
                           !reference::binary32.is_negative(bits),
                       "class_weights", "finite numbers above 0",
                       reference::to_hex_float(bits, reference::binary32));
}

void check_labels(const TokenWindow& window, const TokenMicroBatch& micro_batch) {
  const std::int64_t classes = std::ssize(window.class_weights.bits);
  for (const std::int64_t label : micro_batch.labels)
    BadSession::unless(
        label == window.ignore_index || (label >= 0 && label < classes), "labels",
        "the ignore index, or 0 to " + std::to_string(classes - 1) + ", as there are class weights",
        std::to_string(label));
}

}  // namespace

void check_token_window(const TokenWindow& window) {
  const bool has_weights = window.class_weights.format != nullptr;
  if (has_weights) check_weights(window.class_weights);
  for (const auto& rank : window.ranks)
    for (const TokenMicroBatch& micro_batch : rank) {
      if (has_weights) check_labels(window, micro_batch);
      BadSession::unless(std::ssize(micro_batch.labels) % micro_batch.rows == 0, "rows",
                         "a number that divides that of the labels",
                         std::to_string(micro_batch.rows));
      BadSession::unless(window.shift == 0 || std::ranges::count(micro_batch.times, 1) ==
                                                  std::ssize(micro_batch.times),
                         "times", "1 everywhere under a shift", "more or less");
    }
}

}  // namespace ampcheck::properties
