#include "properties/generators/tokens.hpp"

#include <bit>

namespace ampcheck::properties {
namespace {

using reference::binary32;
using subject::TokenMicroBatch;
using subject::TokenWindow;

TokenMicroBatch empty_micro_batch() {
  TokenMicroBatch result;
  result.losses.format = result.coefficients.format = &binary32;
  return result;
}

void add_token(Draw& draw, TokenMicroBatch& micro_batch, std::int64_t label, std::int64_t times) {
  micro_batch.labels.push_back(label);
  micro_batch.times.push_back(times);
  micro_batch.losses.bits.push_back(dyadic(draw.between(0, 31), -2, binary32));
  for (int element = 0; element < 2; ++element)
    micro_batch.coefficients.bits.push_back(dyadic(2 * draw.between(-15, 15) + 1, -3, binary32));
}

}  // namespace

TokenWindow draw_token_window(Draw& draw, const TokenPlan& plan, std::int64_t ranks) {
  TokenWindow window;
  window.parameter = "w";
  window.reducer = draw.coin() ? subject::Reducer::mean : subject::Reducer::sum;
  // Label 0 is a label like any other, whatever the ignore index is.
  window.ignore_index = draw.pick<std::int64_t>({-100, -100, -1, 7});
  const auto counted_label = [&] {
    // Labels that are often ignored, and here are not.
    const std::int64_t label =
        draw.chance(3) ? draw.pick<std::int64_t>({-100, -1, 7}) : draw.between(0, 5);
    return label == window.ignore_index ? 0 : label;
  };
  std::int64_t counted = 0;
  const std::int64_t micro_batches = draw.between(2, 4);
  for (std::int64_t r = 0; r < ranks; ++r) {
    window.ranks.emplace_back();
    for (std::int64_t m = 0; m < micro_batches; ++m) {
      TokenMicroBatch micro_batch = empty_micro_batch();
      // Counts grow with the index, so that no two micro-batches of a rank have the same.
      std::int64_t tokens = 2 * m + draw.between(m == 0 && r == 0 ? 1 : 0, 1);
      counted += tokens;
      for (; tokens > 0; --tokens) add_token(draw, micro_batch, counted_label(), 1);
      if (plan.ignored)
        for (std::int64_t more = draw.between(m == 0 ? 1 : 0, 3); more > 0; --more)
          add_token(draw, micro_batch, window.ignore_index, 1);
      window.ranks.back().push_back(std::move(micro_batch));
    }
  }
  const auto rounded_up = [](std::int64_t count) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count)));
  };
  if (plan.more > 0) {
    const std::int64_t all =
        plan.power_of_two_count ? rounded_up(counted + plan.more) : counted + plan.more;
    TokenMicroBatch& last = window.ranks.back().back();
    add_token(draw, last, counted_label(), all - counted);
    last.coefficients.bits.end()[-2] = last.coefficients.bits.end()[-1] = 0;
    counted = all;
  }
  if (plan.power_of_two_count) {
    const std::int64_t rounded = rounded_up(counted);
    if (rounded > counted)
      add_token(draw, window.ranks.back().back(), counted_label(), rounded - counted);
  }
  if (plan.empty_micro_batch) {
    auto& rank = window.ranks[static_cast<std::size_t>(draw.between(0, ranks - 1))];
    TokenMicroBatch empty = empty_micro_batch();
    for (std::int64_t tokens = draw.between(0, 2); tokens > 0; --tokens)
      add_token(draw, empty, window.ignore_index, 1);
    rank.insert(rank.begin() + draw.between(0, static_cast<std::int64_t>(rank.size())),
                std::move(empty));
  }
  for (auto& rank : window.ranks)
    for (TokenMicroBatch& micro_batch : rank) {
      const auto tokens = static_cast<std::int64_t>(micro_batch.labels.size());
      micro_batch.losses.shape = {tokens};
      micro_batch.coefficients.shape = {tokens, 2};
    }
  return window;
}

void spoil_ignored(Draw& draw, TokenWindow& window) {
  for (auto& rank : window.ranks)
    for (TokenMicroBatch& micro_batch : rank)
      for (std::size_t t = 0; t < micro_batch.labels.size(); ++t) {
        if (micro_batch.labels[t] != window.ignore_index || draw.coin()) continue;
        micro_batch.losses.bits[t] = draw_non_finite(draw, *micro_batch.losses.format);
        micro_batch.coefficients.bits[2 * t + 1] =
            draw_non_finite(draw, *micro_batch.coefficients.format);
      }
}

Case draw_token_case(Draw& draw, TokenPlan tokens, std::int64_t ranks) {
  if (draw.chance(3)) tokens.power_of_two_count = false;
  CaseBuilder builder = token_session(draw);
  builder.add(draw_token_window(draw, tokens, ranks)).unscale("o").observe({"gradient/w"});
  return builder.ranks(ranks).done();
}

CaseBuilder token_session(const ScalerPlan& plan) {
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 2, binary32)});
  return builder;
}

CaseBuilder token_session(Draw& draw) {
  ScalerPlan plan;
  plan.init_scale = scalar_power_of_two(static_cast<int>(draw.between(0, 16)), binary32);
  return token_session(plan);
}

}  // namespace ampcheck::properties
