// Numbers of the sources, typed in by hand, against what the vector files say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden/vectors.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::golden {
namespace {

using Json = nlohmann::json;
using testing::Contains;
using testing::DoubleNear;
using Texts = std::vector<std::string>;

const Json& file(const std::string& id) {
  static std::map<std::string, Json> files;
  const auto [found, is_new] = files.try_emplace(id);
  if (is_new) {
    const Vector* vector = find_vector(id);
    if (vector == nullptr) throw std::logic_error("no vector " + id);
    found->second = Json::parse(render(*vector));
  }
  return found->second;
}

// The last exact values of an observation.
Texts exact(const std::string& id, const std::string& observation) {
  Texts found;
  for (const Json& entry : file(id)["expected"]["exact"])
    if (entry["observation"] == observation) {
      found.clear();
      for (const Json& value : entry["values"])
        found.push_back(value.is_null() ? "" : value.get<std::string>());
    }
  return found;
}

double number(const std::string& hex, const std::string& format) {
  return subject::to_double(std::stoull(hex, nullptr, 16), *reference::find_number_format(format));
}

bool holds(const Json& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), Json(text)) != texts.end();
}

// All that an observation may show under a policy: for every step, for every element, the listed
// numbers.
std::vector<std::vector<std::vector<double>>> sets(const std::string& id,
                                                   const std::string& observation,
                                                   const std::string& policy = "textbook") {
  std::vector<std::vector<std::vector<double>>> found;
  for (const Json& entry : file(id)["expected"]["sets"]) {
    if (entry["observation"] != observation || !holds(entry["policies"], policy)) continue;
    const std::string format = entry["format"];
    found.emplace_back();
    for (const Json& element : entry["elements"]) {
      found.back().emplace_back();
      if (element.is_string())
        found.back().back().push_back(number(element, format));
      else if (element.contains("one_of"))
        for (const Json& one : element["one_of"])
          found.back().back().push_back(number(one, format));
      else
        found.back().back() = {number(element["from"], format), number(element["to"], format)};
    }
  }
  if (found.empty()) throw std::logic_error(id + ": no set of " + observation + " under " + policy);
  return found;
}

// One number an element, at the last step that shows the observation.
std::vector<double> last(const std::string& id, const std::string& observation,
                         const std::string& policy = "textbook") {
  std::vector<double> numbers;
  const auto steps = sets(id, observation, policy);
  for (const auto& element : steps.back()) {
    EXPECT_EQ(element.size(), 1u) << id;
    numbers.push_back(element.front());
  }
  return numbers;
}

// The first number of every step.
std::vector<double> trace(const std::string& id, const std::string& observation,
                          const std::string& policy = "textbook") {
  std::vector<double> numbers;
  for (const auto& step : sets(id, observation, policy)) numbers.push_back(step.front().front());
  return numbers;
}

// What a mistake shows, and its exact value.
Json mistake(const std::string& id, const std::string& name) {
  for (const Json& entry : file(id)["expected"]["mistakes"])
    if (entry["mistake"] == name) return entry;
  ADD_FAILURE() << id << ": no " << name;
  return {};
}
double shown(const std::string& id, const std::string& name,
             const std::string& format = "binary32") {
  return number(mistake(id, name).value("shows", "0"), format);
}

using Numbers = std::vector<double>;

TEST(Numbers, OfScalingClippingAndUpdates) {  // [SC]
  EXPECT_EQ(exact("scaling/unscaled-0.02-at-100", "seed"), Texts{"100"});
  EXPECT_EQ(exact("scaling/unscaled-0.02-at-100", "gradient/w"), Texts{"1/50"});
  EXPECT_EQ(last("scaling/unscaled-0.02-at-100", "seed"), Numbers{100});
  EXPECT_EQ(trace("scaling/unscaled-0.02-at-100", "gradient/w").front(), 2);
  EXPECT_EQ(trace("scaling/unscaled-0.02-at-100", "gradient/w").back(), 0.02f);
  EXPECT_EQ(exact("scaling/step-of-0.002", "parameter/w"), Texts{"-1/500"});
  const Numbers step = sets("scaling/step-of-0.002", "parameter/w").front().front();
  EXPECT_THAT(step, Contains(-0.002f));
  EXPECT_EQ(shown("scaling/step-of-0.002", "mutant:never-unscaled-step"), -0.2f);
  EXPECT_EQ(exact("clipping/limit-of-0.05-leaves-0.02", "gradient/w"), Texts{"1/50"});
  EXPECT_EQ(last("clipping/limit-of-0.05-leaves-0.02", "gradient/w"), Numbers{0.02f});
  EXPECT_NEAR(shown("clipping/limit-of-0.05-leaves-0.02", "mutant:clip-value-before-unscale"),
              0.0005, 1e-10);
}

TEST(Numbers, OfTheSurvivalRange) {  // [LS]
  const auto survivors = [](const char* slug) {
    return last(std::string("scaling/survival-") + slug, "gradient/w");
  };
  const double inf = HUGE_VAL, least = 0x1p-24;
  EXPECT_EQ(survivors("at-1"), (Numbers{0, 8}));
  EXPECT_EQ(survivors("at-2"), (Numbers{0, 16}));
  EXPECT_EQ(survivors("above-2"), (Numbers{least, 16}));
  EXPECT_EQ(survivors("at-4"), (Numbers{least, 32}));
  EXPECT_EQ(survivors("at-4096"), (Numbers{0x1p-14, 32768}));
  EXPECT_EQ(survivors("below-8190"), (Numbers{0x1.ffcp-14, 65504}));
  EXPECT_EQ(survivors("at-8190"), (Numbers{0x1p-13, inf}));
  EXPECT_EQ(survivors("at-8192"), (Numbers{0x1p-13, inf}));
}

TEST(Numbers, OfScaling) {
  EXPECT_EQ(last("scaling/unscaled-once", "parameter/w"), Numbers{-1});
  EXPECT_EQ(shown("scaling/unscaled-once", "mutant:unscale-twice"), -0x1p-16);
  EXPECT_EQ(trace("scaling/growing-every-second-step", "gradient/w"), (Numbers{1, 1, 1, 1}));
  EXPECT_EQ(shown("scaling/growing-every-second-step", "mutant:update-before-unscale"), 0.5);
  EXPECT_EQ(last("scaling/quarter", "gradient/w"), Numbers{4});
  EXPECT_EQ(shown("scaling/quarter", "mutant:scale-clamped-to-one"), 1);
  EXPECT_EQ(last("scaling/disabled-keeps-bits", "parameter/w"), Numbers{-1 - 0x1p-20});
  EXPECT_EQ(last("scaling/seed-65536", "seed"), Numbers{65536});
  EXPECT_EQ(shown("scaling/seed-65536", "mutant:seed-in-half"), HUGE_VAL);
  EXPECT_EQ(last("scaling/reciprocal-of-2-25", "gradient/w"), Numbers{0x1p-14});
  EXPECT_EQ(shown("scaling/reciprocal-of-2-25", "mutant:reciprocal-in-gradient-format"), 0);
  EXPECT_EQ(
      shown("scaling/reciprocal-of-3-times-2-20", "mutant:reciprocal-in-gradient-format") / 0x1p-14,
      0.9375);
  EXPECT_EQ(last("scaling/sixty-at-1000", "gradient/w"), Numbers{60});
  EXPECT_EQ(sets("scaling/sixty-at-1000", "gradient/w", "reciprocal").back().front(),
            (Numbers{60, 60.000003814697266}));
  EXPECT_EQ(shown("scaling/sixty-at-1000", "unscale-in-half"), 60.03125);
  EXPECT_EQ(shown("scaling/cast-beyond-65504", "mutant:saturating-cast"), 65504);
  EXPECT_EQ(last("scaling/cast-at-ties", "gradient/w"), (Numbers{1 + 0x1p-9, 1 + 0x1p-10}));
  EXPECT_EQ(last("scaling/cast-rounded-once", "gradient/w"), Numbers{number("5a13", "binary16")});
  EXPECT_EQ(shown("scaling/cast-rounded-once", "double-rounded-cast"), number("5a12", "binary16"));
}

TEST(Numbers, OfClipping) {
  EXPECT_EQ(exact("clipping/three-four-to-1", "gradient/w"), (Texts{"3/5", "4/5"}));
  EXPECT_EQ(exact("clipping/three-four-to-1", "norm"), Texts{"5"});
  EXPECT_EQ(last("clipping/three-four-to-1", "gradient/w"), (Numbers{0.6f, 0.8f}));
  EXPECT_EQ(last("clipping/three-four-to-1", "gradient/w", "torch"),
            (Numbers{0.5999999046325684, 0.7999998331069946}));
  EXPECT_EQ(shown("clipping/three-four-to-1", "mutant:clip-before-unscale"),
            5 * 65536);  // its norm
  EXPECT_EQ(shown("clipping/three-four-in-two-tensors", "mutant:clip-per-tensor"), 1);
  const auto torch = sets("clipping/three-four-to-5", "gradient/w", "torch").back();
  EXPECT_THAT(torch[0], Contains(DoubleNear(2.9999992847, 1e-10)));
  EXPECT_THAT(torch[1], Contains(DoubleNear(3.9999990463, 1e-10)));
  EXPECT_EQ(last("clipping/three-four-to-5", "gradient/w"), (Numbers{3, 4}));
  EXPECT_EQ(last("clipping/three-four-to-10", "gradient/w"), (Numbers{3, 4}));
  const auto bfloat = sets("clipping/three-four-in-bfloat16", "gradient/w", "torch").back();
  EXPECT_EQ(bfloat[0], Numbers{0.6015625});
  EXPECT_EQ(bfloat[1], Numbers{0.80078125});
  EXPECT_EQ(last("clipping/norm-of-300-and-400", "norm", "torch"), Numbers{500});
  const auto half = sets("clipping/norm-of-300-and-400", "gradient/w", "torch").back();
  EXPECT_EQ(half[0], Numbers{0.60009765625});
  EXPECT_THAT(half[1], Contains(0.80029296875));
  EXPECT_EQ(shown("clipping/norm-of-300-and-400", "mutant:norm-in-half"), 0);
  EXPECT_EQ(exact("clipping/small-stays-small", "gradient/w"), (Texts{"1/100", "1/100"}));
  EXPECT_EQ(last("clipping/small-stays-small", "gradient/w"), (Numbers{0.01f, 0.01f}));
  EXPECT_EQ(last("clipping/norm-2-below-3", "gradient/w"), Numbers{2});
  EXPECT_EQ(shown("clipping/norm-2-below-3", "squared-norm-compared"), 2 * 0.75);
  EXPECT_EQ(exact("clipping/norm-0.9-above-0.85", "gradient/w"), Texts{"17/20"});
  EXPECT_EQ(shown("clipping/norm-0.9-above-0.85", "mutant:squared-norm-compared"), 0.9f);
}

TEST(Numbers, OfAccumulation) {
  EXPECT_EQ(last("accumulation/one-and-ten", "gradient/w"), Numbers{11});
  EXPECT_EQ(shown("accumulation/one-and-ten", "mutant:overwrite-not-add"), 8 * 10);  // still scaled
  EXPECT_EQ(last("accumulation/one-two-three", "gradient/w"), Numbers{6});
  EXPECT_EQ(last("accumulation/one-scale-a-window", "gradient/w"), Numbers{2});
  EXPECT_EQ(trace("accumulation/one-scale-a-window", "scale"), (Numbers{65536, 65536, 131072}));
  EXPECT_EQ(last("accumulation/one-after-inf", "parameter/w"), Numbers{-1});
  EXPECT_EQ(last("accumulation/nan-then-4", "scale"), Numbers{4});
  EXPECT_EQ(last("accumulation/2048-and-two-ones", "gradient/w"), Numbers{2050});
  EXPECT_EQ(sets("accumulation/2048-and-two-ones", "gradient/w", "narrow").back().front(),
            (Numbers{2048, 2052}));
  EXPECT_EQ(last("accumulation/256-and-two-ones", "gradient/w"), Numbers{258});
  EXPECT_EQ(sets("accumulation/256-and-two-ones", "gradient/w", "narrow").back().front().front(),
            256);
  EXPECT_EQ(last("accumulation/sum-beyond-65504", "parameter/w"), Numbers{-5000});
  EXPECT_EQ(last("accumulation/sum-beyond-65504", "parameter/w", "narrow"), Numbers{0});
}

TEST(Numbers, OfTheEffectiveBatch) {  // [GA]: 4·8·4 = 128
  EXPECT_EQ(last("accumulation/effective-batch-of-128", "gradient/w"), Numbers{64.5});
  EXPECT_EQ(shown("accumulation/effective-batch-of-128", "mutant:batch-without-ranks"), 258);
  EXPECT_EQ(shown("accumulation/effective-batch-of-128", "mutant:batch-without-steps"), 516);
}

TEST(Numbers, OfRecipes) {  // [GA]: round(64/batch); Goyal et al.: 256 to 8192 is × 32
  std::vector<int> accumulate;
  for (const Json& entry : file("schedule/four-of-16-and-eight-of-8")["expected"]["sets"])
    accumulate.push_back(entry["integers"].front().get<int>());
  EXPECT_THAT(accumulate, testing::ElementsAre(4, 8, 2, 1));
  EXPECT_EQ(last("schedule/decay-of-128-in-64", "weight_decay"), Numbers{0x1p-10});
  EXPECT_EQ(trace("schedule/32-times-the-rate", "learning_rate"), (Numbers{0.125, 2.0625, 4, 4}));
}

TEST(Numbers, OfSmallUpdates) {  // Micikevicius et al. 2018, section 3.1
  EXPECT_EQ(trace("weights/four-updates-add-up", "parameter/w"),
            (Numbers{1, 1, 1 + 0x1p-10, 1 + 0x1p-10}));
  EXPECT_EQ(last("weights/four-updates-add-up", "master/w"), Numbers{1 + 0x1p-10});
  EXPECT_EQ(shown("weights/four-updates-add-up", "mutant:no-master", "binary16"), 1);
}

TEST(Numbers, OfTheLinearModel) {  // [GA], against plain doubles from the samples in the file
  const Json& vector = file("accumulation/linear-model-4-by-8")["vector"];
  const Vector* made = find_vector("accumulation/linear-model-4-by-8");
  EXPECT_TRUE(vector.contains("samples") && vector.contains("weights") &&
              vector.contains("targets"));
  std::map<std::string, Numbers> material;
  for (const auto& [name, tensor] : made->material)
    for (const std::uint64_t bits : tensor.bits)
      material[name].push_back(subject::to_double(bits, *tensor.format));
  Numbers mean(16, 0);
  for (std::size_t i = 0; i < 32; ++i) {
    double residual = -material["targets"][i];
    for (std::size_t j = 0; j < 16; ++j)
      residual += material["weights"][j] * material["samples"][16 * i + j];
    for (std::size_t j = 0; j < 16; ++j)
      mean[j] += 2 * residual * material["samples"][16 * i + j] / 32;
  }
  EXPECT_EQ(last("accumulation/linear-model-4-by-8", "gradient/w"), mean);
}

// Scales used in each window, and after the last.
Numbers used(const std::string& policy) {
  Numbers scales = {1024};
  for (const double scale : trace("skipping/trace-of-17", "scale", policy)) scales.push_back(scale);
  return scales;
}

TEST(Numbers, OfTheTraceOf17) {
  const std::map<std::string, Numbers> traces = {
      {"textbook",
       {1024, 1024, 512, 512, 512, 1024, 1024, 1024, 2048, 2048, 1024, 1024, 512, 256, 256, 256,
        512, 512}},
      {"n_plus_one",
       {1024, 1024, 512, 512, 512, 512, 1024, 1024, 1024, 1024, 512, 512, 256, 128, 128, 128, 128,
        256}},
      {"n_plus_one_once",
       {1024, 1024, 512, 512, 512, 512, 1024, 1024, 1024, 2048, 1024, 1024, 512, 256, 256, 256, 256,
        512}},
      {"mxnet",
       {1024, 1024, 1024, 512, 512, 512, 1024, 1024, 1024, 2048, 2048, 1024, 1024, 512, 256, 256,
        256, 512}},
      {"deepspeed",
       {1024, 1024, 1024, 1024, 1024, 1024, 2048, 2048, 2048, 4096, 4096, 4096, 2048, 1024, 1024,
        1024, 1024, 2048}},
      {"deepspeed_consecutive",
       {1024, 1024, 1024, 1024, 1024, 1024, 2048, 2048, 2048, 4096, 4096, 4096, 4096, 2048, 2048,
        2048, 2048, 4096}},
      {"megatron",
       {1024, 1024, 1024, 1024, 1024, 2048, 2048, 2048, 4096, 4096, 4096, 4096, 2048, 1024, 1024,
        1024, 2048, 2048}},
      {"apex_kernel",
       {1024, 1024, 1024, 1024, 1024, 2048, 2048, 2048, 4096, 4096, 4096, 4096, 4096, 2048, 2048,
        2048, 4096, 4096}},
  };
  for (const auto& [policy, scales] : traces) EXPECT_EQ(used(policy), scales) << policy;
}

// Windows after which the scale grew.
Numbers grown(const std::string& policy) {
  Numbers windows;
  double before = 1024, window = 0;
  for (const double scale : trace("skipping/growth-after-5", "scale", policy)) {
    ++window;
    if (scale > before) windows.push_back(window);
    before = scale;
  }
  return windows;
}

TEST(Numbers, OfGrowth) {
  EXPECT_EQ(grown("textbook"), (Numbers{5, 10, 15}));
  EXPECT_EQ(grown("n_plus_one"), (Numbers{6, 12, 18}));
  EXPECT_EQ(grown("n_plus_one_once"), (Numbers{6, 11, 16}));
  EXPECT_EQ(grown("mxnet"), (Numbers{6, 11, 16}));
  EXPECT_EQ(last("skipping/three-clean", "scale"), Numbers{16});
  EXPECT_EQ(shown("skipping/three-clean", "mutant:greater-for-equal"), 8);
  EXPECT_EQ(last("skipping/four-clean", "scale"), Numbers{16});
  EXPECT_EQ(shown("skipping/four-clean", "mutant:growth-counter-kept"), 32);
  EXPECT_EQ(last("skipping/consecutive-clean", "scale"), Numbers{4});
  EXPECT_EQ(last("skipping/saved-after-three-of-four", "scale"), Numbers{16});
  // 3 times 1.1.
  EXPECT_NEAR(last("skipping/growth-by-1.1", "scale").back(), 3.2999999523, 1e-10);
  EXPECT_NEAR(sets("skipping/growth-by-1.1", "scale", "factor_in_binary32").back().front().back(),
              3.3000001907, 1e-10);
}

TEST(Numbers, OfBackOff) {
  const Numbers ladder = trace("skipping/ladder-to-one-half", "scale", "torch");
  ASSERT_EQ(ladder.size(), 17u);
  EXPECT_EQ(ladder[15], 1);
  EXPECT_EQ(ladder[16], 0.5);
  EXPECT_EQ(last("skipping/ladder-to-one-half", "scale", "floor_one"), Numbers{1});
  EXPECT_EQ(last("skipping/both-overflow", "scale"), Numbers{4});
  EXPECT_EQ(shown("skipping/both-overflow", "mutant:double-back-off"), 2);
  EXPECT_EQ(trace("skipping/five-overflows", "scale"), (Numbers{512, 256, 128, 64, 32}));
  EXPECT_EQ(trace("skipping/five-overflows", "scale", "apex_kernel"),
            (Numbers{1024, 512, 256, 128, 64}));
  EXPECT_EQ(trace("skipping/five-overflows", "scale", "paddle"),
            (Numbers{1024, 512, 512, 256, 256}));
  EXPECT_EQ(shown("skipping/back-off-at-the-bottom", "mutant:backs-off-to-zero"), 0);
  EXPECT_EQ(last("skipping/growth-beyond-the-top", "scale"), Numbers{1e38f});
  EXPECT_EQ(last("skipping/growth-beyond-the-top", "scale", "clamp"),
            Numbers{number("7f7fffff", "binary32")});
  EXPECT_EQ(shown("skipping/growth-beyond-the-top", "mutant:growth-to-inf"), HUGE_VAL);
}

TEST(Numbers, OfFixtureF) {
  for (const char* id : {"tokens/fixture-f-mean", "tokens/fixture-f-sum"}) {
    EXPECT_EQ(exact(id, "gradient/w"), Texts{"33/16"});
    EXPECT_EQ(last(id, "gradient/w"), Numbers{2.0625});
  }
  const std::map<std::string, double> under_mean = {{"mean-of-micro-means", 1.58333},
                                                    {"mean-of-non-empty-means", 1.9},
                                                    {"rank-then-non-empty-means", 1.95833},
                                                    {"rank-means", 1.95},
                                                    {"missing-times-world", 1.03125},
                                                    {"local-count-times-world", 3.9},
                                                    {"divided-again", 0.6875},
                                                    {"micro-means-summed", 4.75},
                                                    {"times-steps-left-in", 6.1875},
                                                    {"unshifted-count", 1.571429},
                                                    {"padding-counted", 0.55},
                                                    {"never-divided", 16.5},
                                                    {"mutant:mean-of-micro-means", 1.58333}};
  for (const auto& [name, value] : under_mean)
    EXPECT_NEAR(shown("tokens/fixture-f-mean", name), value, 5e-6) << name;
  EXPECT_EQ(mistake("tokens/fixture-f-mean", "empty-micro-nan").value("exact", ""), "NaN");
  for (const auto& [name, value] : std::map<std::string, double>{{"largest-rank-count", 3.3},
                                                                 {"micro-means-summed", 9.5},
                                                                 {"times-world-left-in", 4.125},
                                                                 {"never-divided", 33}})
    EXPECT_NEAR(shown("tokens/fixture-f-sum", name), value, 5e-6) << name;
  EXPECT_EQ(exact("tokens/labels-0-and-minus-100", "gradient/w"), Texts{"2"});
  EXPECT_EQ(exact("tokens/ignored-nan-losses", "gradient/w"), Texts{"2"});
  EXPECT_EQ(exact("tokens/count-of-2050", "gradient/w"), Texts{"2050"});
}

// Whether the step is taken, at every step that shows it.
std::vector<Json> stepped(const std::string& id, const std::string& policy = "textbook") {
  std::vector<Json> verdicts;
  for (const Json& entry : file(id)["expected"]["sets"])
    if (entry["observation"] == "stepped" && holds(entry["policies"], policy))
      verdicts.push_back(entry["stepped"]);
  return verdicts;
}

TEST(Numbers, OfVerdicts) {
  using Verdicts = std::vector<Json>;
  for (const char* skips :
       {"skipping/inf-in-the-second-tensor", "skipping/one-nan", "skipping/opposite-infinities",
        "skipping/overflow-of-the-unscale", "accumulation/nan-then-4"})
    EXPECT_EQ(stepped(skips), Verdicts{false}) << skips;
  for (const char* steps :
       {"skipping/3e38-twice", "skipping/finite-and-odd", "accumulation/sum-beyond-65504"})
    EXPECT_EQ(stepped(steps), Verdicts{true}) << steps;
  EXPECT_EQ(stepped("accumulation/one-after-inf"), (Verdicts{false, true}));
  EXPECT_EQ(stepped("skipping/3e38-twice", "tests_norm"), Verdicts{"either"});
  EXPECT_EQ(stepped("accumulation/sum-beyond-65504", "narrow"), Verdicts{false});
  EXPECT_EQ(stepped("skipping/one-of-two-overflows"), (Verdicts{false, true}));
  EXPECT_EQ(stepped("skipping/one-of-two-overflows", "all_together"), (Verdicts{false, false}));
  EXPECT_EQ(stepped("skipping/adam-over-a-skip"), (Verdicts{true, false, true}));
  EXPECT_EQ(stepped("skipping/momentum-over-a-skip"), (Verdicts{true, false, true}));
  // (1 + 1/2)/4 after 1/4: the skipped step is in neither.
  EXPECT_EQ(exact("skipping/momentum-over-a-skip", "parameter/w"), Texts{"-5/8"});
}

}  // namespace
}  // namespace ampcheck::golden
