// Cases a second through what a run is made of: generating, judging, and the subjects.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "properties/applicability.hpp"
#include "properties/clause.hpp"
#include "properties/generators/case_builder.hpp"
#include "properties/judge.hpp"
#include "properties/policy.hpp"
#include "subject/adapters.hpp"
#include "subject/in_process.hpp"
#include "subject/process_subject.hpp"

namespace {

using namespace ampcheck;
using namespace ampcheck::properties;
using reference::binary16;
using reference::binary32;

// Two windows of two micro-batches of four elements with everything looked at: 16 steps.
subject::Case session_case(const std::string& id) {
  ScalerPlan plan;
  plan.growth_interval = 2;
  const auto coefficients = [](int k) {
    return std::vector<subject::Coefficients>{
        {"w", vector({dyadic(3 * k, -2, binary16), dyadic(-k, 0, binary16), dyadic(5, -3, binary16),
                      dyadic(k, 1, binary16)},
                     binary16)}};
  };
  CaseBuilder builder;
  builder.scaler(plan).sgd("o", {zeros("w", 4, binary32)});
  for (int window = 1; window <= 2; ++window) {
    builder.backward(coefficients(window), false).observe({"seed", "gradient/w"});
    builder.backward(coefficients(window + 2)).observe({"seed", "gradient/w"});
    builder.unscale("o").observe({"gradient/w"});
    builder.step("o").observe({"stepped", "parameter/w"});
    builder.update().observe({"scale"});
    builder.zero_grad("o");
  }
  builder.add(subject::Observe{}).observe({"parameter/w"});
  builder.add(subject::Observe{}).observe({"scale"});
  subject::Case made = builder.done();
  made.id = id;
  made.clause = "accumulation/constant-scale";
  return made;
}

constexpr unsigned kEverything = kSeed | kGradient | kParameter | kScale | kStepped | kNorm;

void Generate(benchmark::State& state) {
  std::uint64_t index = 0;
  for (auto _ : state)
    for (const Clause& clause : clauses())
      benchmark::DoNotOptimize(generate_case(clause, 1, index++));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(clauses().size()));
}
BENCHMARK(Generate)->Unit(benchmark::kMicrosecond);

void JudgeExactly(benchmark::State& state) {
  const subject::Case one = session_case("judge");
  const subject::Reply reply = subject::textbook_in_process().play(one);
  const reference::Policy policy = reference_policy(subject::Textbook::hello().policy);
  std::int64_t patterns = 0;
  for (auto _ : state) {
    const Judgement judgement = judge(one, reply.answers, policy, kEverything);
    if (judgement.outcome != Judgement::Outcome::pass)
      state.SkipWithError("the case does not pass");
    patterns += judgement.patterns;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["patterns/s"] =
      benchmark::Counter(static_cast<double>(patterns), benchmark::Counter::kIsRate);
}
BENCHMARK(JudgeExactly)->Unit(benchmark::kMicrosecond);

void PlayTextbook(benchmark::State& state) {
  const subject::Case one = session_case("textbook");
  subject::InProcess subject = subject::textbook_in_process();
  for (auto _ : state) benchmark::DoNotOptimize(subject.play(one));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(PlayTextbook)->Unit(benchmark::kMicrosecond);

// Cases as a run plays them: in turn one of each clause, as far as they can be asked of the
// subject.
std::vector<subject::Case> suite_cases(const subject::Hello& hello, std::size_t count) {
  std::vector<subject::Case> cases;
  for (std::uint64_t index = 0; cases.size() < count; ++index)
    for (const Clause& clause : clauses()) {
      subject::Case one = generate_case(clause, 1, index);
      if (inapplicable(one, hello).empty()) cases.push_back(std::move(one));
    }
  return cases;
}

// A whole process, 32 cases in flight.
void play(benchmark::State& state, subject::Command command, std::size_t count) {
  subject::ProcessSubject process(std::move(command));
  const std::vector<subject::Case> cases = suite_cases(process.hello(), count);
  for (auto _ : state) {
    std::size_t drawn = 0, answered = 0;
    process.play([&] { return drawn < cases.size() ? &cases[drawn++] : nullptr; },
                 [&](const subject::Case&, const subject::Reply& reply) {
                   answered += reply.kind == subject::Reply::Kind::answered ? 1 : 0;
                 });
    if (answered != cases.size()) state.SkipWithError("a case was not answered");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cases.size()));
}

void PlayTrivialPython(benchmark::State& state) {
  const std::filesystem::path package = subject::checkout_folder() / "subject/adapters/python";
  play(state,
       {{"/usr/bin/python3", (package / "examples/null_subject.py").string()},
        {},
        {{"PYTHONPATH", package.string()}}},
       10000);
}
BENCHMARK(PlayTrivialPython)->UseRealTime()->Unit(benchmark::kMillisecond);

void PlayTorch(benchmark::State& state) {
  try {
    play(state, subject::adapter_command("torch", subject::checkout_folder()), 2000);
  } catch (const subject::NoInterpreter& error) {
    state.SkipWithError(error.what());
  }
}
BENCHMARK(PlayTorch)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
