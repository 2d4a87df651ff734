#include "reference/batch_schedule.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ampcheck::reference {
namespace {

void require_positive(std::int64_t x, const char* name) {
  if (x < 1)
    throw std::invalid_argument(std::string(name) + ": expected at least 1, found " +
                                std::to_string(x));
}

// More than any batch, and far from where counts overflow.
constexpr std::int64_t kMostExamples = std::int64_t{1} << 53;

void require_examples(std::int64_t x, const char* name) {
  require_positive(x, name);
  if (x > kMostExamples)
    throw std::invalid_argument(std::string(name) + ": expected at most 2^53, found " +
                                std::to_string(x));
}

void require_index(std::int64_t x, const char* name) {
  if (x < 0)
    throw std::invalid_argument(std::string(name) + ": expected at least 0, found " +
                                std::to_string(x));
}

// Linear from `from` at 0 to `to` at the end of a warm-up.
Rational ramp(const Rational& from, const Rational& to, std::int64_t at, std::int64_t length) {
  return from + (to - from) * std::min(at, length) / length;
}

// A positive rational, half to even.
std::int64_t rounded(const Rational& x) {
  std::int64_t low = 0, high = 1;
  while (Rational(high) <= x) high *= 2;
  while (high - low > 1) {  // low <= x < high
    const std::int64_t middle = low + (high - low) / 2;
    (Rational(middle) <= x ? low : high) = middle;
  }
  const Rational rest = x - low, half = Rational(1) / 2;
  return rest > half || (rest == half && low % 2 == 1) ? high : low;
}

}  // namespace

std::int64_t micro_batches(std::int64_t nominal, std::int64_t batch) {
  require_examples(nominal, "nominal");
  require_examples(batch, "batch");
  return std::max<std::int64_t>(1, rounded(Rational(nominal) / batch));
}

std::int64_t micro_batches_in_warm_up(std::int64_t index, std::int64_t warm_up,
                                      std::int64_t nominal, std::int64_t batch) {
  require_index(index, "index");
  require_positive(warm_up, "warm_up");
  require_examples(nominal, "nominal");
  require_examples(batch, "batch");
  return std::max<std::int64_t>(1, rounded(ramp(1, Rational(nominal) / batch, index, warm_up)));
}

std::vector<std::int64_t> window_ends(const std::vector<std::int64_t>& asked,
                                      std::int64_t micro_batches_in_epoch) {
  require_positive(micro_batches_in_epoch, "micro_batches_in_epoch");
  std::vector<std::int64_t> ends;
  std::int64_t held = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    require_positive(asked[i], "asked");
    ++held;
    const auto done = static_cast<std::int64_t>(i) + 1;
    const bool last = done % micro_batches_in_epoch == 0 || i + 1 == asked.size();
    if (held < asked[i] && !last) continue;
    ends.push_back(done - 1);
    held = 0;
  }
  return ends;
}

Rational scaled_weight_decay(const Rational& decay, std::int64_t nominal, std::int64_t batch) {
  return decay * batch * micro_batches(nominal, batch) / nominal;
}

Rational scaled_rate(const Rational& rate, std::int64_t base_batch, std::int64_t batch) {
  require_examples(base_batch, "base_batch");
  require_examples(batch, "batch");
  return rate * batch / base_batch;
}

Rational scaled_rate_in_warm_up(std::int64_t step, std::int64_t warm_up, const Rational& rate,
                                std::int64_t base_batch, std::int64_t batch) {
  require_index(step, "step");
  require_positive(warm_up, "warm_up");
  return ramp(rate, scaled_rate(rate, base_batch, batch), step, warm_up);
}

}  // namespace ampcheck::reference
