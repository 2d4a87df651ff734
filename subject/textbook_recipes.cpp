// The textbook's recipes, which go by the size of a batch.
#include <algorithm>
#include <cmath>

#include "subject/floating_point.hpp"
#include "subject/names.hpp"
#include "subject/textbook.hpp"

namespace ampcheck::subject {
namespace {

// Half to even.
std::int64_t nearest(double x) { return static_cast<std::int64_t>(std::nearbyint(x)); }

double quotient(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

}  // namespace

std::int64_t Textbook::micro_batches(std::int64_t nominal, std::int64_t batch) {
  return std::max<std::int64_t>(1, nearest(quotient(nominal, batch)));
}

double Textbook::scaled_decay(double decay, std::int64_t nominal, std::int64_t batch) {
  return decay * quotient(batch * micro_batches(nominal, batch), nominal);
}

std::int64_t Textbook::warm_up_micro_batches(const Recipe& r, std::int64_t index) {
  const double rise = quotient(r.nominal_batch, r.batch) - 1;
  const std::int64_t at = std::min(index, r.warm_up);
  return std::max<std::int64_t>(
      1, nearest(1 + rise * static_cast<double>(at) / static_cast<double>(r.warm_up)));
}

std::vector<std::int64_t> Textbook::window_ends(const Recipe& r) {
  std::vector<std::int64_t> ends;
  std::int64_t held = 0;
  for (std::int64_t i = 0; i < r.micro_batches * r.epochs; ++i) {
    const bool ends_the_epoch = (i + 1) % r.micro_batches == 0;
    if (++held < warm_up_micro_batches(r, i) && !ends_the_epoch) continue;
    ends.push_back(i);
    held = 0;
  }
  return ends;
}

double Textbook::scaled_rate(const Recipe& r) {
  const double from = to_double(r.lr.bits, *r.lr.format);
  const double to = from * quotient(r.batch, r.base_batch);
  if (r.step >= r.warm_up) return to;
  return from + (to - from) * quotient(r.step, r.warm_up);
}

Value Textbook::look_recipe(const std::string& name) {
  using reference::binary64;
  if (seen_.recipe == nullptr) return Null{};
  const Recipe& r = *seen_.recipe;
  if (name != kRecipeShows[static_cast<std::size_t>(r.kind)]) return Null{};
  const auto scalar = [](double x) { return Scalar{&binary64, to_bits(x, binary64)}; };
  if (name == "accumulate") return micro_batches(r.nominal_batch, r.batch);
  if (name == "window_ends") return Integers{window_ends(r)};
  if (name == "learning_rate") return scalar(scaled_rate(r));
  return scalar(scaled_decay(to_double(r.weight_decay.bits, *r.weight_decay.format),
                             r.nominal_batch, r.batch));
}

}  // namespace ampcheck::subject
