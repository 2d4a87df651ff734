#include <algorithm>

#include "golden/definitions/definitions.hpp"

namespace ampcheck::golden {
namespace {

using reference::Rational;
using subject::Reducer;
using subject::TokenMicroBatch;
using subject::TokenWindow;

// Equal tokens: `times` of label `label` with loss and coefficient `value`.
struct Tokens {
  std::int64_t label, times;
  Rational value;
};

TokenMicroBatch micro_batch(const std::vector<Tokens>& tokens, const NumberFormat& f = binary32) {
  const auto size = static_cast<std::int64_t>(tokens.size());
  TokenMicroBatch made;
  made.losses = {&f, {size}, {}};
  made.coefficients = {&f, {size, 1}, {}};
  for (const Tokens& one : tokens) {
    made.labels.push_back(one.label);
    made.times.push_back(one.times);
    made.losses.bits.push_back(reference::round_to(one.value, f));
    made.coefficients.bits.push_back(made.losses.bits.back());
  }
  return made;
}

subject::Case played(TokenWindow window, int scale_exponent) {
  window.parameter = "w";
  const auto ranks = static_cast<std::int64_t>(window.ranks.size());
  CaseBuilder builder;
  builder.scaler(scale_of_two(scale_exponent)).sgd("o", {zeros("w", 1, binary32)});
  builder.add(std::move(window)).unscale("o").observe({"gradient/w"});
  subject::Case made = builder.done();
  made.ranks = ranks;
  return made;
}
// Where `played` looks.
Diagnosis at_the_gradient(std::vector<Recipe> recipes) {
  return {3, "gradient/w", 0, &binary32, std::move(recipes)};
}

// Fixture F of facts/frameworks.md §2: counted tokens and summed losses, 2 ranks × 3 micro-batches.
constexpr std::int64_t kTokens[2][3] = {{1, 3, 2}, {0, 6, 4}};
constexpr std::int64_t kLosses[2][3] = {{2, 3, 4}, {0, 18, 6}};
constexpr std::int64_t kRanks = 2, kMicroBatches = 3;

// The numbers that faulty recipes combine, all computed from F.
struct Sums {
  Rational tokens, losses;             // of the whole window
  Rational means;                      // sum of the micro-batches' means, empty ones 0
  Rational non_empty;                  // micro-batches with tokens
  Rational rank_means;                 // sum of the ranks' token means
  Rational rank_means_of_micro_means;  // sum of the ranks' means over their non-empty micro-batches
  Rational largest_rank;               // tokens of the rank that has most
};

Sums sums_of_f() {
  Sums all;
  for (int r = 0; r < kRanks; ++r) {
    Rational tokens, losses, means, non_empty;
    for (int m = 0; m < kMicroBatches; ++m) {
      tokens += kTokens[r][m];
      losses += kLosses[r][m];
      if (kTokens[r][m] == 0) continue;
      means += Rational(kLosses[r][m]) / Rational(kTokens[r][m]);
      non_empty += 1;
    }
    all.tokens += tokens;
    all.losses += losses;
    all.means += means;
    all.non_empty += non_empty;
    all.rank_means += losses / tokens;
    all.rank_means_of_micro_means += means / non_empty;
    all.largest_rank = reference::max(all.largest_rank, tokens);
  }
  return all;
}

TokenWindow fixture_f(Reducer reducer) {
  TokenWindow window;
  window.reducer = reducer;
  for (int r = 0; r < kRanks; ++r) {
    window.ranks.emplace_back();
    for (int m = 0; m < kMicroBatches; ++m) {
      const std::int64_t tokens = kTokens[r][m];
      if (tokens == 0)
        window.ranks.back().push_back(micro_batch({}));
      else
        window.ranks.back().push_back(
            micro_batch({{1, tokens, Rational(kLosses[r][m]) / Rational(tokens)}}));
    }
  }
  return window;
}

std::vector<Recipe> mistakes_under_mean() {
  const Sums f = sums_of_f();
  const Rational right = f.losses / f.tokens, w(kRanks), n(kMicroBatches);
  return {
      {"mean-of-micro-means", "the mean of the micro-batches' means, an empty one counting 0",
       f.means / (w * n)},
      {"empty-micro-nan", "the mean of the micro-batches' means, an empty one being 0/0", {}},
      {"mean-of-non-empty-means", "the mean of the non-empty micro-batches' means",
       f.means / f.non_empty},
      {"rank-then-non-empty-means",
       "the mean over each rank's non-empty micro-batches, then over ranks",
       f.rank_means_of_micro_means / w},
      {"rank-means", "the token mean of each rank, then the mean over ranks", f.rank_means / w},
      {"missing-times-world", "the mean over ranks is not undone by a factor W", right / w},
      {"local-count-times-world", "each rank divides by its own count, times W", f.rank_means},
      {"divided-again", "divided once more by the number of micro-batches", right / n},
      {"micro-means-summed", "the micro-batches' means are summed, and never divided", f.means / w},
      {"times-steps-left-in", "a factor for a division by the micro-batches that nobody does",
       right * n},
      {"unshifted-count", "labels are counted before the shift: one more for every non-empty row",
       f.losses / (f.tokens + f.non_empty)},
      {"padding-counted", "padded positions count, ten a micro-batch",
       f.losses / (Rational(10) * w * n)},
      {"never-divided", "nobody divides by the count", f.losses / w},
  };
}

std::vector<Recipe> mistakes_under_sum() {
  const Sums f = sums_of_f();
  const Rational right = f.losses / f.tokens, w(kRanks);
  return {
      {"largest-rank-count", "every rank divides by the largest rank's count",
       f.losses / f.largest_rank},
      {"micro-means-summed", "the micro-batches' means are summed, and never divided", f.means},
      {"times-world-left-in", "a factor W that only an averaging reducer needs", right * w},
      {"never-divided", "nobody divides by the count", f.losses},
  };
}

TokenWindow one_rank(std::vector<TokenMicroBatch> micro_batches) {
  TokenWindow window;
  window.ranks = {std::move(micro_batches)};
  return window;
}

}  // namespace

std::vector<Vector> token_vectors() {
  std::vector<Vector> all = {
      {.id = "tokens/fixture-f-mean",
       .clause = "tokens/window-mean",
       .source = "frameworks 2",
       .sentence =
           "Fixture F, 2 ranks of 3 micro-batches with 1, 3, 2 and 0, 6, 4 tokens, whose losses "
           "sum to 2, 3, 4 and 0, 18, 6: 33/16, gradients being averaged over the ranks",
       .played = played(fixture_f(Reducer::mean), 16),
       .mutants = {"mean-of-micro-means"},
       .diagnosis = at_the_gradient(mistakes_under_mean())},
      {.id = "tokens/fixture-f-sum",
       .clause = "tokens/window-mean",
       .source = "frameworks 2",
       .sentence = "Fixture F again, gradients being added over the ranks: 33/16 as well",
       .played = played(fixture_f(Reducer::sum), 0),
       .diagnosis = at_the_gradient(mistakes_under_sum())},
      {.id = "tokens/labels-0-and-minus-100",
       .clause = "tokens/ignored-excluded",
       .source = "MUTANTS",
       .sentence = "Of the labels 0, -100 and 2 only -100 is ignored: (1 + 3)/2",
       .played = played(one_rank({micro_batch({{0, 1, 1}, {-100, 1, 7}, {2, 1, 3}})}), 3),
       .mutants = {"ignored-counted", "label-zero-ignored"}},
      {.id = "tokens/ignored-nan-losses",
       .clause = "tokens/ignored-excluded",
       .source = "MUTANTS",
       .sentence = "Four ignored tokens whose losses are NaN have no influence: 8/4, not 8/8",
       .played = played(one_rank({micro_batch({{-100, 4, 0}}), micro_batch({{1, 4, 2}})}), 3),
       .mutants = {"ignored-counted"}},
      {.id = "tokens/count-of-2050",
       .clause = "tokens/window-mean",
       .source = "MUTANTS",
       .sentence = "2048 + 1 + 1 tokens are 2050, though binary16 counts to 2048 only",
       .played = played(one_rank({micro_batch({{1, 2048, 2050}}), micro_batch({{1, 1, 2050}}),
                                  micro_batch({{1, 1, 2050}})}),
                        0),
       .diagnosis = at_the_gradient({{"half-count", "the count is held in binary16",
                                      Rational(2050) * Rational(2050) / Rational(2048)}})},
  };
  // What is ignored is NaN, to show that it is.
  auto& window = std::get<TokenWindow>(all[3].played.steps[2].action);
  window.ranks[0][0].losses.bits = window.ranks[0][0].coefficients.bits = {binary32.nan()};
  return all;
}

}  // namespace ampcheck::golden
